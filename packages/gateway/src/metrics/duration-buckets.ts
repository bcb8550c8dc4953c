/** Upper bounds of the buckets of durations, in seconds: from a local tool to a slow model. */
export const DURATION_BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 15, 60];
