import type { GitSetting } from "./settings-file.js";

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((name) => name !== ""));
}

/**
 * Settings of git's output and comparison, which start no program; also accepted from the user's
 * settings.
 */
const SHOWING = names(`
  core.abbrev core.autocrlf core.bigfilethreshold core.checkstat core.eol core.longpaths
  core.precomposeunicode core.protecthfs core.protectntfs core.quotepath core.safecrlf core.trustctime
  core.whitespace
  diff.algorithm diff.colormoved diff.context diff.indentheuristic diff.interhunkcontext
  diff.mnemonicprefix diff.noprefix diff.renamelimit diff.renames
  init.defaultbranch
  log.abbrevcommit log.date log.decorate log.follow
  status.aheadbehind status.branch status.relativepaths status.renames status.short status.showstash
  status.showuntrackedfiles
  user.email user.name
`);

/** Further settings of a repository that git needs; `*` means any subsection. */
const REPOSITORY = names(`
  branch.*.merge branch.*.remote
  core.filemode core.ignorecase core.logallrefupdates core.sparsecheckout core.sparsecheckoutcone
  core.symlinks
  extensions.objectformat
  remote.*.fetch remote.*.pushurl remote.*.url
`);

/**
 * Settings without effect on commands that run without approval, or that the host overrides; git
 * does not receive them.
 */
const DROPPED = names(`
  branch.*.description branch.*.github-pr-owner-number branch.*.gh-merge-base branch.*.pushremote
  branch.*.rebase branch.*.vscode-merge-base
  core.attributesfile core.commentchar core.compression core.editor core.excludesfile core.fscache
  core.fsmonitor core.hookspath core.pager core.preloadindex core.splitindex core.untrackedcache
  credential.*.helper credential.*.username
  extensions.worktreeconfig
  lfs.*.access lfs.*.locksverify
  remote.*.gh-resolved remote.*.mirror remote.*.prune remote.*.prunetags remote.*.push
  remote.*.skipfetchall remote.*.tagopt remote.pushdefault
  submodule.*.active submodule.*.branch submodule.*.ignore submodule.*.update submodule.*.url
  submodule.active submodule.recurse
`);
const DROPPED_SECTIONS = names(
  "advice alias branch color column commit credential fetch gc gui index lfs maintenance merge pack pager pull push rebase receive rerere tag user",
);

const FALSE = /^(?:false|no|off|0)$/i;
/** User and password of a URL, also where a slash in the password makes the URL invalid. */
const PASSWORD = /:\/\/(?:[^/?#\s]*@|[^@\s]*:(?!\d+(?:\/|$))[^@\s]*@)/g;
const TOKEN = /([?&][\w-]*(?:token|key|password|secret|auth)[\w-]*=)[^&#\s]*/gi;

/** Handling of a setting. */
export type AcceptedSetting =
  | { readonly copy: GitSetting }
  /** Git does not receive it, because no command that runs without approval uses it. */
  | "drop"
  /** It could start a program, or change the files that git reads, so git needs approval. */
  | "unknown";

/**
 * Returns the handling of a repository's setting. User and password are removed from URLs.
 * @param setting - setting from the repository
 */
export function acceptSetting(setting: GitSetting): AcceptedSetting {
  const name = genericName(setting);
  switch (name) {
    case "core.repositoryformatversion":
      return /^[01]$/.test(setting.value ?? "") ? { copy: setting } : "unknown";
    case "core.bare":
      return FALSE.test(setting.value ?? "") ? { copy: setting } : "unknown";
  }
  if (SHOWING.has(name) || REPOSITORY.has(name)) return { copy: withoutPassword(setting) };
  const isDropped =
    DROPPED.has(name) ||
    (setting.subsection === undefined && DROPPED_SECTIONS.has(setting.section)) ||
    (setting.section === "alias" && setting.subsection !== undefined);
  return isDropped ? "drop" : "unknown";
}

/**
 * Returns the user's settings that git receives: those of its output and comparison. Others are
 * dropped.
 * @param settings - settings of the user
 */
export function acceptUserSettings(settings: readonly GitSetting[]): readonly GitSetting[] {
  return settings.filter((setting) => SHOWING.has(genericName(setting))).map(withoutPassword);
}

/** Returns the name of a setting with its subsection, as git shows it. */
export function settingName({ section, subsection, key }: GitSetting): string {
  return [section, ...(subsection === undefined ? [] : [subsection]), key].join(".");
}

function genericName({ section, subsection, key }: GitSetting): string {
  return subsection === undefined ? `${section}.${key}` : `${section}.*.${key}`;
}

function withoutPassword(setting: GitSetting): GitSetting {
  const value = setting.value?.replaceAll(PASSWORD, "://").replaceAll(TOKEN, "$1…") ?? null;
  return { ...setting, value };
}
