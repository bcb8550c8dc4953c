import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "");
/** Names of devices on Windows, with any extension, and characters that its file names lack. */
const RESERVED = /(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.[^/]*)?(\/|$)|[<>:"|?*\\]|[ .](\/|$)/i;

describe("platforms", () => {
  it("[SDK-532] no two files have names that differ in case only", () => {
    const seen = new Map<string, string>();
    const same = files.flatMap((file) => {
      const name = file.toLowerCase().normalize("NFC");
      const other = seen.get(name);
      seen.set(name, file);
      return other === undefined ? [] : [`${other} and ${file}`];
    });
    expect(same).toEqual([]);
  });

  it("[SDK-532] every file can have its name on Windows, within 260 characters in a folder of 80", () => {
    expect(files.filter((file) => RESERVED.test(file) || file.length > 180)).toEqual([]);
  });

  it("[SDK-532] scripts and sources have the line ends of Unix", () => {
    const listed = execFileSync("git", ["ls-files", "--eol"], { cwd: root, encoding: "utf8" });
    const written = listed
      .split("\n")
      .filter((line) => /^i\/(crlf|mixed) .*(\.(ts|tsx|mjs|cjs|json|sh)|\/run)$/.test(line));
    expect(written).toEqual([]);
  });

  it("[SDK-533] prints a report of the probes of a platform", () => {
    const only = [
      "case of file names",
      "modes of files",
      "symbolic links",
      "replacing an open file",
    ];
    const report = execFileSync(
      process.execPath,
      ["scripts/check-platform.mjs", ...only.flatMap((name) => ["--only", name])],
      { cwd: root, encoding: "utf8" },
    );
    expect(report).toMatch(/^### OpenClaw on \w+ .+\n\nNode v\d+/);
    for (const name of only) expect(report).toContain(`| ${name} | ok |`);
    expect(report).toContain("4 probes, 0 failed");
  });
});
