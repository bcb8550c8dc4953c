/** Reader of a followed file: the object of "follows" in requests. */
export type FollowedBy =
  | "git"
  | "the host"
  | "coding agents"
  | "editors"
  | "shells"
  | "package managers"
  | "developer tools"
  | "CI"
  | "the desktop";

/** Followed files of one reader. */
export interface FollowedGroup {
  readonly by: FollowedBy;
  readonly patterns: readonly string[];
}
