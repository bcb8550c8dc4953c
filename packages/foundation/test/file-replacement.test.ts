import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draftError, FileReplacementError, moveOver } from "@openclaw/foundation/file-replacement";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../src/testing/temporary-folder.js";

function place() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const file = join(folder.path, "openclaw.json");
  const draft = join(folder.path, "openclaw.json.draft");
  writeFileSync(file, "a long old content");
  writeFileSync(draft, "new");
  return { folder: folder.path, file, draft };
}

function failing(code: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: resource busy, rename`), { code });
  };
}

describe("moveOver", () => {
  it("replaces a file by a rename", () => {
    const { folder, file, draft } = place();
    const { ino } = statSync(draft);
    moveOver(draft, file);
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(file).ino).toBe(ino);
    expect(readdirSync(folder)).toEqual(["openclaw.json"]);
  });

  it.each(["EBUSY", "EXDEV"])("[GW-222] writes in place where a rename fails with %s", (code) => {
    const { folder, file, draft } = place();
    chmodSync(file, 0o640);
    const { ino } = statSync(file);
    moveOver(draft, file, failing(code));
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(file)).toMatchObject({ ino, size: 3 });
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(["openclaw.json"]);
  });

  it("[GW-222] keeps the file, and says cause and remedy, where it can be neither replaced nor written", () => {
    const { folder, file, draft } = place();
    // The backup that comes first cannot be made.
    writeFileSync(`${draft}.old`, "another");
    const move = () => moveOver(draft, file, failing("EBUSY"));
    expect(move).toThrow(FileReplacementError);
    expect(move).toThrow(
      /openclaw\.json cannot be replaced: it is mounted separately \(EBUSY.*\), and it cannot be written in place \(EEXIST.*\); mount the folder instead of the file/,
    );
    expect(readFileSync(file, "utf8")).toBe("a long old content");
    expect(readdirSync(folder)).toContain("openclaw.json.draft");
  });

  it("passes other errors on", () => {
    const { file, draft } = place();
    expect(() => moveOver(draft, file, failing("ENOSPC"))).toThrow(/ENOSPC/);
  });
});

it("[GW-222] names the folder that is not writable as the cause", () => {
  const error = Object.assign(new Error("EROFS: read-only file system, open"), { code: "EROFS" });
  expect(draftError("/etc/openclaw.json", error)).toMatchObject({
    code: "FILE_NOT_REPLACED",
    message: expect.stringMatching(/its folder is not writable \(EROFS.*mount the folder instead/),
  });
  const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  expect(draftError("/etc/openclaw.json", full)).toBe(full);
});
