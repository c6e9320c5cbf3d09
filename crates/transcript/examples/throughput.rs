use std::time::Instant;
fn main(){ let p=std::env::args().nth(1).unwrap(); let t=Instant::now(); let mut n=0usize; let mut b=0usize;
 let r=transcript::read(p.as_ref(), &Default::default(), &mut |t|{n+=1; b+=t.said.iter().map(|s|s.text.len()).sum::<usize>()}, &mut ||true).unwrap();
 let s=t.elapsed().as_secs_f64(); println!("{n} turns {b} bytes {:.0} MB/s unreadable {}", r.bytes as f64/1e6/s, r.unreadable_count);
 let t=Instant::now(); let l=transcript::last_stop(p.as_ref(), None, 32<<20).unwrap().unwrap(); println!("last_stop {:?} {}", t.elapsed(), l.said.len());
 println!("position {}", serde_json::to_string(&r.position).unwrap().len());
}
