//! What a store costs and what is wrong with it: a pure function of the store and the clock.
