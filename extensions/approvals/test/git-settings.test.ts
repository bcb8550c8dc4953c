import { describe, expect, it } from "vitest";
import { acceptSetting, acceptUserSettings } from "../src/git/accepted-settings.js";
import { gitSettingsText, readGitSettings } from "../src/git/settings-file.js";

/** Returns settings as pairs of name and value. */
function read(text: string) {
  return readGitSettings(text)?.map(({ section, subsection, key, value }) => [
    [section, ...(subsection === undefined ? [] : [subsection]), key].join("."),
    value,
  ]);
}

describe("git settings", () => {
  it("[APPR-037] reads git settings like git", () => {
    const text = `# comment
[core]
	fileMode = true ; comment
	bare
[Remote "o\\"r.Igin"] # comment
	URL = "a # b" c\\t\\"d\\"  
	fetch =
`;
    expect(read(text)).toEqual([
      ["core.filemode", "true"],
      ["core.bare", null],
      ['remote.o"r.Igin.url', 'a # b c\t"d"'],
      ['remote.o"r.Igin.fetch', ""],
    ]);
  });

  it.each([
    "key = value",
    "[core] key = value",
    "[core.sub]\n\tkey = value",
    "[core]\n\tkey = one \\\n two",
    '[core]\n\tkey = "open',
    "[core]\n\tkey = \\x",
    "[core]\n\tkey = a\u0000b",
    "[core]\n\tkey = a\rb",
    "[core]\n\t1key = a",
    '[core "a\\nb"]\n\tkey = a',
    "\ufeffkey",
  ])("[APPR-037] rejects git settings in an unusual format: %j", (text) => {
    expect(readGitSettings(text)).toBeUndefined();
  });

  it("[APPR-037] writes git settings so that reading them returns the same settings", () => {
    const settings = [
      { section: "branch", subsection: 'a"b\\c', key: "merge", value: ' x "y" \\z # \n\t' },
      { section: "core", subsection: undefined, key: "bare", value: null },
    ];
    expect(readGitSettings(gitSettingsText(settings))).toEqual(settings);
  });

  it.each([
    ["https://user:secret@host/x", "https://host/x"],
    ["https://secret@host/x", "https://host/x"],
    ["https://user:sec/ret@host/x", "https://host/x"],
    ["https://host:8080/x@1", "https://host:8080/x@1"],
    ["https://host/x?access_token=secret&a=1", "https://host/x?access_token=…&a=1"],
    ["git@host:x", "git@host:x"],
  ])("[APPR-037] copies the URL of a git remote without its password: %s", (value, expected) => {
    const setting = { section: "remote", subsection: "origin", key: "url", value };
    expect(acceptSetting(setting)).toEqual({ copy: { ...setting, value: expected } });
  });

  it.each([
    ["filter", "x", "clean", "unknown"],
    ["filter", "x", "smudge", "unknown"],
    ["filter", "x", "process", "unknown"],
    ["diff", "x", "command", "unknown"],
    ["diff", "x", "textconv", "unknown"],
    ["diff", undefined, "external", "unknown"],
    ["diff", undefined, "orderfile", "unknown"],
    ["gpg", undefined, "program", "unknown"],
    ["gpg", "ssh", "program", "unknown"],
    ["log", undefined, "showsignature", "unknown"],
    ["merge", "x", "driver", "unknown"],
    ["core", undefined, "sshcommand", "unknown"],
    ["core", undefined, "gitproxy", "unknown"],
    ["core", undefined, "bare", "unknown"],
    ["extensions", undefined, "partialclone", "unknown"],
    ["remote", "origin", "promisor", "unknown"],
    ["remote", "origin", "vcs", "unknown"],
    ["include", undefined, "path", "unknown"],
    ["includeif", "gitdir:x", "path", "unknown"],
    ["blame", undefined, "ignorerevsfile", "unknown"],
    ["core", undefined, "fsmonitor", "drop"],
    ["core", undefined, "hookspath", "drop"],
    ["core", undefined, "pager", "drop"],
    ["alias", undefined, "x", "drop"],
  ])("[APPR-037] handles the git setting %s %s %s as %s", (section, subsection, key, expected) => {
    expect(acceptSetting({ section, subsection, key, value: "true" })).toBe(expected);
  });

  it("[APPR-037] accepts the user's git settings only for output and comparison", () => {
    const own = [
      { section: "log", subsection: undefined, key: "date", value: "iso" },
      { section: "core", subsection: undefined, key: "filemode", value: "false" },
      { section: "filter", subsection: "lfs", key: "process", value: "x" },
      { section: "url", subsection: "https://secret@host/", key: "insteadof", value: "x" },
    ];
    expect(acceptUserSettings(own)).toEqual(own.slice(0, 1));
  });
});
