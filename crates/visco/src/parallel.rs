//! Parallel loops whose results do not depend on the number of threads.
//!
//! Work is cut into chunks of a fixed size; a sum adds the chunks' sums in order. So every bit is the
//! same for one thread and for sixty-four.

use rayon::prelude::*;

/// Particles in a chunk. Part of the result: another size rounds sums differently.
const CHUNK: usize = 256;

/// Loops no longer than this stay on one thread: to wake another costs more than it saves.
const SHORT: usize = 2 * CHUNK;

/// `out[i] = f(i)` for every element.
pub fn fill<T: Send>(out: &mut [T], f: impl Fn(usize) -> T + Sync) {
    for_each(out, |i, o| *o = f(i));
}

/// `f(i, &mut items[i])` for every element.
pub fn for_each<T: Send>(items: &mut [T], f: impl Fn(usize, &mut T) + Sync) {
    if items.len() <= SHORT {
        return items.iter_mut().enumerate().for_each(|(i, o)| f(i, o));
    }
    items.par_chunks_mut(CHUNK).enumerate().for_each(|(c, chunk)| {
        for (k, o) in chunk.iter_mut().enumerate() {
            f(c * CHUNK + k, o);
        }
    });
}

/// `f(i, &mut a[i], &mut b[i])` for every element of two arrays of equal length.
pub fn for_each2<A: Send, B: Send>(a: &mut [A], b: &mut [B], f: impl Fn(usize, &mut A, &mut B) + Sync) {
    assert_eq!(a.len(), b.len());
    if a.len() <= SHORT {
        return a.iter_mut().zip(b).enumerate().for_each(|(i, (a, b))| f(i, a, b));
    }
    let pairs = a.par_chunks_mut(CHUNK).zip(b.par_chunks_mut(CHUNK));
    pairs.enumerate().for_each(|(c, (a, b))| {
        for (k, (a, b)) in a.iter_mut().zip(b).enumerate() {
            f(c * CHUNK + k, a, b);
        }
    });
}

/// Changes every element and returns the sum of what `f` returns.
pub fn update_sum<T: Send>(items: &mut [T], f: impl Fn(usize, &mut T) -> f64 + Sync) -> f64 {
    let sum_of = |(c, chunk): (usize, &mut [T])| {
        chunk.iter_mut().enumerate().map(|(k, o)| f(c * CHUNK + k, o)).sum::<f64>()
    };
    if items.len() <= SHORT {
        return items.chunks_mut(CHUNK).enumerate().map(sum_of).sum();
    }
    let sums: Vec<f64> = items.par_chunks_mut(CHUNK).enumerate().map(sum_of).collect();
    sums.iter().sum()
}

/// Sums of several quantities over `0..n`.
pub fn sums<const K: usize>(n: usize, f: impl Fn(usize) -> [f64; K] + Sync) -> [f64; K] {
    let add = |mut a: [f64; K], b: [f64; K]| {
        for (a, b) in a.iter_mut().zip(b) {
            *a += b;
        }
        a
    };
    let sum_of = |c: usize| (c * CHUNK..n.min((c + 1) * CHUNK)).map(&f).fold([0.0; K], add);
    if n <= SHORT {
        return (0..n.div_ceil(CHUNK)).map(sum_of).fold([0.0; K], add);
    }
    let chunk_sums: Vec<[f64; K]> = (0..n.div_ceil(CHUNK)).into_par_iter().map(sum_of).collect();
    chunk_sums.into_iter().fold([0.0; K], add)
}

/// Sum over `0..n`.
pub fn sum(n: usize, f: impl Fn(usize) -> f64 + Sync) -> f64 {
    sums(n, |i| [f(i)])[0]
}

/// Largest value over `0..n`, at least `floor`.
pub fn max(n: usize, floor: f32, f: impl Fn(usize) -> f32 + Sync) -> f32 {
    (0..n).into_par_iter().with_min_len(CHUNK).map(&f).reduce(|| floor, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_the_number_of_threads() {
        let value = |i: usize| 1.0 / (1.0 + i as f64).powf(1.1);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| sum(10_007, value)).to_bits()
        };
        let one = on(1);
        assert!([2, 3, 8].iter().all(|&t| on(t) == one));
    }

    #[test]
    fn fill_and_update_reach_every_element() {
        let mut a = vec![0.0; 1000];
        fill(&mut a, |i| i as f64);
        let total = update_sum(&mut a, |i, v| {
            *v += 1.0;
            i as f64
        });
        assert_eq!(total, 499_500.0);
        assert_eq!(a[999], 1000.0);
        assert_eq!(max(1000, 0.0, |i| a[i] as f32), 1000.0);
    }
}
