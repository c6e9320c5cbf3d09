//! All that differs between Unix and Windows: open flags, modes, owners, the identity of a file.

#[cfg(unix)]
pub(crate) use unix::{
    exchange, is_lock_unsupported, keep_mode_and_owner, largest_file, length_if_file,
    make_private_dir, mode_of, open_new, open_quick, open_read, same_file, set_mode, set_private,
    sync_folder,
};
#[cfg(windows)]
pub(crate) use windows::{
    exchange, is_lock_unsupported, keep_mode_and_owner, largest_file, length_if_file,
    make_private_dir, mode_of, open_new, open_quick, open_read, same_file, set_mode, set_private,
    sync_folder,
};

/// How a file is opened for writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Every write goes to the end.
    Append,
    /// Read and write (network file systems lock only what is open for writing).
    ReadWrite,
}

#[cfg(unix)]
mod unix {
    use super::Access;
    use rustix::fs::OFlags;
    use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
    use std::path::Path;

    fn flags(flags: OFlags) -> i32 {
        // The same bits as `open` takes; the cast only changes how they are read.
        flags.bits().cast_signed()
    }

    /// Never follows a link at the end, never blocks on a FIFO or a device. (std adds `O_CLOEXEC`.)
    fn options(access: Access) -> OpenOptions {
        let mut options = OpenOptions::new();
        match access {
            Access::Append => options.append(true),
            Access::ReadWrite => options.read(true).write(true),
        };
        options
            .mode(0o600)
            .custom_flags(flags(OFlags::NOFOLLOW | OFlags::NONBLOCK));
        options
    }

    pub(crate) fn open_quick(path: &Path, access: Access) -> io::Result<File> {
        options(access).open(path)
    }

    pub(crate) fn open_new(path: &Path, access: Access) -> io::Result<File> {
        options(access).create_new(true).open(path)
    }

    pub(crate) fn open_read(path: &Path, follow: bool) -> io::Result<File> {
        let nofollow = if follow {
            OFlags::empty()
        } else {
            OFlags::NOFOLLOW
        };
        OpenOptions::new()
            .read(true)
            .custom_flags(flags(nofollow | OFlags::NONBLOCK))
            .open(path)
    }

    /// 0600 whatever the umask took away.
    pub(crate) fn set_private(file: &File) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(0o600))
    }

    /// The permission bits.
    #[allow(clippy::unnecessary_wraps, reason = "the same signature as on Windows")]
    pub(crate) fn mode_of(meta: &Metadata) -> Option<u32> {
        Some(meta.mode() & 0o777)
    }

    /// These permission bits, whatever the umask.
    pub(crate) fn set_mode(file: &File, mode: u32) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(mode & 0o777))
    }

    /// Gives `file` the mode and, where the system lets us, the owner of `old`.
    pub(crate) fn keep_mode_and_owner(file: &File, old: &Metadata) -> io::Result<()> {
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            // Only root may give files away; for others the file becomes theirs, as with any editor.
            let _ = fchown(file, Some(old.uid()), Some(old.gid()));
        }
        file.set_permissions(Permissions::from_mode(old.mode() & 0o777))
    }

    /// One folder, 0700 whatever the umask.
    pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(path)?;
        std::fs::set_permissions(path, Permissions::from_mode(0o700))
    }

    /// How many bytes a file may have at most (`ulimit -f`). The system kills whoever writes at that
    /// point.
    pub(crate) fn largest_file() -> Option<u64> {
        use rustix::process::{Resource, getrlimit};
        getrlimit(Resource::Fsize).current
    }

    /// The length of what is open, if it is a regular file.
    pub(crate) fn length_if_file(open: &impl std::os::fd::AsFd) -> Option<u64> {
        let file = File::from(open.as_fd().try_clone_to_owned().ok()?);
        let meta = file.metadata().ok()?;
        meta.is_file().then_some(meta.len())
    }

    /// Whether `path` still names the open `file`.
    pub(crate) fn same_file(file: &File, path: &Path) -> io::Result<bool> {
        let open = file.metadata()?;
        if open.nlink() == 0 {
            return Ok(false);
        }
        match std::fs::symlink_metadata(path) {
            Ok(named) => Ok((named.dev(), named.ino()) == (open.dev(), open.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The file system has no locks (some network and user-space ones).
    pub(crate) fn is_lock_unsupported(error: &io::Error) -> bool {
        use rustix::io::Errno;
        error.kind() == io::ErrorKind::Unsupported
            || Errno::from_io_error(error).is_some_and(|code| {
                [Errno::NOLCK, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP].contains(&code)
            })
    }

    /// Lets two files change places, where the system has a call for it.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }

    /// Elsewhere a rename does not wait for the disk.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(crate) fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Makes a rename in `folder` survive a power cut.
    pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

#[cfg(windows)]
#[allow(clippy::unnecessary_wraps, reason = "the same signatures as on Unix")]
mod windows {
    use super::Access;
    use std::fs::{File, Metadata, OpenOptions};
    use std::io;
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::Path;

    /// `FILE_FLAG_OPEN_REPARSE_POINT`: opens a link itself, which then is no regular file.
    const OPEN_LINK_ITSELF: u32 = 0x0020_0000;

    fn options(access: Access) -> OpenOptions {
        let mut options = OpenOptions::new();
        match access {
            Access::Append => options.append(true),
            Access::ReadWrite => options.read(true).write(true),
        };
        options.custom_flags(OPEN_LINK_ITSELF);
        options
    }

    pub(crate) fn open_quick(path: &Path, access: Access) -> io::Result<File> {
        options(access).open(path)
    }

    pub(crate) fn open_new(path: &Path, access: Access) -> io::Result<File> {
        options(access).create_new(true).open(path)
    }

    pub(crate) fn open_read(path: &Path, follow: bool) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        if !follow {
            options.custom_flags(OPEN_LINK_ITSELF);
        }
        options.open(path)
    }

    // Files below the user's profile are private by the access list they inherit.

    pub(crate) fn set_private(_file: &File) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn mode_of(_meta: &Metadata) -> Option<u32> {
        None
    }

    pub(crate) fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn keep_mode_and_owner(_file: &File, _old: &Metadata) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn make_private_dir(path: &Path) -> io::Result<()> {
        std::fs::create_dir(path)
    }

    pub(crate) fn length_if_file<T>(_open: &T) -> Option<u64> {
        None
    }

    /// No such limit here.
    pub(crate) fn largest_file() -> Option<u64> {
        None
    }

    /// A file that is open here cannot be replaced under its name.
    pub(crate) fn same_file(_file: &File, _path: &Path) -> io::Result<bool> {
        Ok(true)
    }

    pub(crate) fn is_lock_unsupported(error: &io::Error) -> bool {
        // ERROR_INVALID_FUNCTION and ERROR_NOT_SUPPORTED: what network redirectors answer.
        error.kind() == io::ErrorKind::Unsupported || matches!(error.raw_os_error(), Some(1 | 50))
    }

    /// No such call here.
    pub(crate) fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Folders cannot be synced here; the rename itself is journalled.
    pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
        Ok(())
    }
}
