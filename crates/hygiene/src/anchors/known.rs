//! Names that tell what a mention is, whatever the project: of branches, systems, formats, languages.

/// Branches are called so in most projects.
#[rustfmt::skip]
pub(super) const BRANCH_LEADS: &[&str] = &[
    "feature", "features", "feat", "fix", "bugfix", "hotfix", "chore", "refactor", "origin",
    "upstream", "dependabot", "renovate", "revert", "wip", "spike", "refs", "heads", "remotes",
    "topic", "backport",
];
/// These are branches where the words around say so.
#[rustfmt::skip]
pub(super) const BRANCH_LEADS_AT_TIMES: &[&str] = &[
    "release", "releases", "docs", "doc", "test", "tests", "ci", "perf", "style", "user", "users",
    "build", "dev", "develop", "main", "master", "issue", "issues", "task", "experiment", "exp",
    "support", "story", "bug", "improvement", "fork",
];
/// Tops of file systems.
#[rustfmt::skip]
pub(super) const SYSTEM_TOPS: &[&str] = &[
    "usr", "etc", "var", "home", "Users", "opt", "tmp", "root", "mnt", "proc", "dev", "bin",
    "sbin", "lib", "lib64", "srv", "Volumes", "Library", "Applications", "private", "System",
    "run", "sys", "boot", "media", "snap", "nix", "data", "workspace", "workspaces", "cygdrive",
];
/// Folders that builds, tests and runs make.
#[rustfmt::skip]
pub(super) const OUTPUTS: &[&str] = &[
    "dist", "build", "out", "output", "outputs", "target", "coverage", "logs", "log", "tmp",
    "temp", "cache", ".cache", "artifacts", "node_modules", ".venv", "venv", "__pycache__",
    "site-packages", ".next", ".turbo", "htmlcov", "obj", ".gradle", "DerivedData", "Pods",
    "vendor", "wandb", "mlruns", "checkpoints", ".pytest_cache", ".mypy_cache", ".svelte-kit",
    "storybook-static",
];
/// Folders that git and mnemo make.
#[rustfmt::skip]
pub(super) const TOOL_FOLDERS: &[&str] = &[
    ".git", "conversations", "memory",
];
/// Words in capitals that stand for something in a file's name.
#[rustfmt::skip]
pub(super) const STANDS_FOR: &[&str] = &[
    "DATE", "NAME", "TARGET", "FILE", "DIR", "PATH", "USER", "HOST", "VERSION", "SLUG", "UUID",
    "HASH", "TIMESTAMP", "BRANCH", "PROJECT", "STEM",
];
/// Subtypes that make `type/…` a MIME type where the type is an ordinary word.
#[rustfmt::skip]
pub(super) const MIME_SUBTYPES: &[&str] = &[
    "plain", "html", "css", "csv", "javascript", "xml", "markdown", "event-stream", "calendar",
    "png", "jpeg", "jpg", "gif", "webp", "svg", "avif", "bmp", "tiff", "heic", "mpeg", "mp4",
    "ogg", "webm", "wav", "aac", "flac", "opus", "quicktime", "woff", "woff2", "ttf", "otf",
    "form-data", "mixed", "alternative", "related", "byteranges", "gltf", "stl", "rfc822",
    "vcard", "tab-separated-values",
];
/// Products whose name ends as a file would.
#[rustfmt::skip]
pub(super) const DOTTED_PRODUCTS: &[&str] = &[
    "node", "vue", "next", "nuxt", "express", "react", "three", "d3", "chart", "moment",
    "discord", "backbone", "ember", "angular", "alpine", "solid", "electron", "p5", "socket",
    "nest", "deno", "bun", "docs", "day", "fastify", "koa", "gatsby", "handlebars", "knockout",
    "plotly", "ethers",
];
/// Files of the client and of conventions that texts speak of in general.
#[rustfmt::skip]
pub(super) const GENERAL_FILES: &[&str] = &[
    "CLAUDE.md", "CLAUDE.local.md", "MEMORY.md", "SKILL.md", "AGENTS.md", "GEMINI.md",
    "settings.json", "settings.local.json", ".env", ".npmrc", ".mcp.json", ".claude.json",
];
/// Hosts of packages, repositories and images.
#[rustfmt::skip]
pub(super) const PACKAGE_HOSTS: &[&str] = &[
    "github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "ghcr.io", "docker.io",
    "quay.io", "gcr.io", "golang.org", "gopkg.in", "pkg.go.dev",
];
/// Ends of host names.
#[rustfmt::skip]
pub(super) const HOST_ENDS: &[&str] = &[
    "com", "net", "org", "io", "dev", "app", "ai", "co", "kr", "jp", "cn", "de", "at", "ch", "fr",
    "uk", "eu", "us", "local", "internal", "localhost", "cloud", "tech", "info", "gov", "edu",
    "test", "example", "lan",
];

/// Roots of standard libraries and of the handles that tutorials use.
#[rustfmt::skip]
pub(super) const STANDARD_ROOTS: &[&str] = &[
    "std", "core", "alloc", "os", "sys", "re", "json", "time", "math", "random", "datetime",
    "collections", "itertools", "functools", "pathlib", "subprocess", "logging", "typing",
    "asyncio", "threading", "fmt", "http", "context", "errors", "strings", "strconv", "sync",
    "sort", "bytes", "bufio", "io", "ioutil", "console", "document", "window", "process", "np",
    "pd", "plt", "tf", "torch", "JSON", "Math", "Object", "Array", "Promise", "Date", "String",
    "Number", "Intl", "System", "java", "javax", "kotlin", "decimal", "shutil", "socket",
    "unittest", "pytest", "user", "git", "crypto",
];
/// Names that every reader knows from a language, a system or a product. Sorted is not needed: it is
/// short.
#[rustfmt::skip]
pub(super) const KNOWN_NAMES: &[&str] = &[
    "useState", "useEffect", "useMemo", "useCallback", "useRef", "useContext", "useReducer",
    "setTimeout", "setInterval", "clearTimeout", "requestAnimationFrame", "addEventListener",
    "querySelector", "localStorage", "sessionStorage", "innerHTML", "structuredClone",
    "queueMicrotask", "setImmediate", "print", "println", "printf", "len", "range", "open",
    "sleep", "malloc", "free", "fetch", "require", "eval", "unwrap", "expect", "clone",
    "isinstance", "getattr", "setattr", "hasattr", "toString", "hashCode", "equals",
    "hasOwnProperty", "preventDefault", "forEach", "indexOf", "parseInt", "parseFloat", "isNaN",
    "now", "fsync", "mmap", "fork", "exec", "ioctl", "epoll_wait", "kill", "main",
    "NotImplementedError", "ValueError", "TypeError", "KeyError", "RuntimeError", "ImportError",
    "AttributeError", "IndexError", "ModuleNotFoundError", "FileNotFoundError", "PermissionError",
    "TimeoutError", "KeyboardInterrupt", "NullPointerException", "IllegalArgumentException",
    "ReferenceError", "SyntaxError", "__init__", "__main__", "__name__", "__pycache__",
    "site_packages", "node_modules", "GitHub", "GitLab", "JavaScript", "TypeScript", "PostgreSQL",
    "MySQL", "SQLite", "NoSQL", "MongoDB", "GraphQL", "OpenAPI", "WebSocket", "WebSockets",
    "macOS", "iOS", "iPhone", "iPad", "LaTeX", "PowerShell", "IntelliJ", "PyTorch", "TensorFlow",
    "NumPy", "FastAPI", "DuckDB", "ClickHouse", "RabbitMQ", "OAuth", "DevTools", "YouTube",
    "LinkedIn", "OpenAI", "ChatGPT", "BigQuery", "DynamoDB", "CloudFront", "VSCode",
    "WebAssembly", "x86_64", "aarch64", "utf8mb4", "snake_case", "camelCase", "PascalCase",
    "kebab_case",
];
/// Beginnings of variables that tools and systems define.
#[rustfmt::skip]
pub(super) const FOREIGN_LEADS: &[&str] = &[
    "AWS_", "GITHUB_", "GH_", "CI_", "NODE_", "NPM_", "RUST_", "RUSTFLAGS", "CARGO_", "PYTHON",
    "PIP_", "JAVA_", "DOCKER_", "COMPOSE_", "KUBE", "CLAUDE_", "ANTHROPIC_", "OPENAI_", "XDG_",
    "LC_", "LD_", "DYLD_", "SSH_", "GIT_", "PG", "POSTGRES_", "MYSQL_", "GOOGLE_", "AZURE_",
    "ANDROID_", "CUDA_", "NVIDIA_", "OMP_", "HF_", "WSL", "MNEMO_", "SIG", "O_", "EPOLL", "ERR_",
    "SQLITE_", "GL_", "VK_", "HTTP_", "HTTPS_", "NO_COLOR", "NO_PROXY", "DATABASE_URL",
];
