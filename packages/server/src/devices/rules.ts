/** Rules of device pairing (HOST-023). */
export const DEVICE_RULES = {
  /** Time in milliseconds for which a challenge is valid. */
  challengeMs: 10 * 60_000,
  /** Time in milliseconds for which a device waits for the operator. */
  waitingMs: 60 * 60_000,
  /** Maximum number of waiting devices. */
  maxWaiting: 20,
  /** Maximum number of waiting devices of one network. */
  maxWaitingPerNetwork: 3,
  /** Time in milliseconds after which a waiting device that no longer asks gives its place to another one. */
  idleMs: 5 * 60_000,
  /** Maximum number of challenges that connections have not answered. */
  maxOpenChallenges: 100,
  /** Maximum number of such challenges of one network. */
  maxOpenChallengesPerNetwork: 10,
  /** Maximum number of challenges per minute of one network. */
  challengesPerMinute: 60,
  /** Time in milliseconds after which a waiting device asks again. */
  retryMs: 5000,
} as const;
