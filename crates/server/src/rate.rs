use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::Limits;
use crate::error::ApiError;

/// What is asked for, each with a limit of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Demand {
    Request,
    NewGame,
    Analysis,
}

/// How often each client may ask: a bucket of tokens that refills with time.
#[derive(Debug)]
pub(crate) struct Rates {
    limits: [(f64, f64); 3],
    buckets: Mutex<HashMap<IpAddr, Buckets>>,
}

#[derive(Clone, Copy, Debug)]
struct Buckets {
    left: [f64; 3],
    seen: Instant,
}

/// Most addresses remembered. When there are more, those that have long been quiet are forgotten.
const MOST_ADDRESSES: usize = 10_000;

impl Rates {
    pub(crate) fn new(limits: &Limits) -> Rates {
        let limits = [limits.requests, limits.games, limits.analyses];
        Rates { limits, buckets: Mutex::default() }
    }

    /// Takes a token, or refuses.
    pub(crate) fn take(&self, address: IpAddr, demand: Demand) -> Result<(), ApiError> {
        let now = Instant::now();
        let full = self.limits.map(|(_, burst)| burst);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_ADDRESSES {
            buckets.retain(|_, bucket| now.duration_since(bucket.seen).as_secs() < 60);
            if buckets.len() >= MOST_ADDRESSES {
                return Err(ApiError::TooMany("too many clients at once; try again in a minute"));
            }
        }
        let bucket = buckets.entry(network(address)).or_insert(Buckets { left: full, seen: now });
        let passed = now.duration_since(bucket.seen).as_secs_f64();
        for (left, (rate, burst)) in bucket.left.iter_mut().zip(self.limits) {
            *left = (*left + passed * rate).min(burst);
        }
        bucket.seen = now;
        let left = &mut bucket.left[demand as usize];
        if *left < 1.0 {
            return Err(ApiError::TooMany(match demand {
                Demand::Request => "too many requests; slow down",
                Demand::NewGame => "too many new games; wait a little",
                Demand::Analysis => "too many analyses; wait a little",
            }));
        }
        *left -= 1.0;
        Ok(())
    }
}

/// Whoever has an IPv6 address has 2⁶⁴ of them; they count as one.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_taken_and_then_refused_for_that_client_and_demand_only() {
        let limits = Limits { requests: (0.001, 3.0), ..Limits::default() };
        let rates = Rates::new(&limits);
        let [one, two]: [IpAddr; 2] = ["10.0.0.1", "10.0.0.2"].map(|text| text.parse().unwrap());
        for _ in 0..3 {
            assert!(rates.take(one, Demand::Request).is_ok());
        }
        assert!(rates.take(one, Demand::Request).is_err());
        assert!(rates.take(two, Demand::Request).is_ok());
        assert!(rates.take(one, Demand::Analysis).is_ok());
    }

    #[test]
    fn neighbours_in_an_ipv6_network_count_as_one() {
        let same: [IpAddr; 2] = ["2001:db8::1", "2001:db8::ffff"].map(|text| text.parse().unwrap());
        assert_eq!(network(same[0]), network(same[1]));
        let mapped: IpAddr = "::ffff:10.0.0.1".parse().unwrap();
        assert_eq!(network(mapped), "10.0.0.1".parse::<IpAddr>().unwrap());
    }
}
