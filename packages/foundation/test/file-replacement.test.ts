import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  draftError,
  FileReplacementError,
  moveAside,
  moveOver,
  removeFile,
  writePrivateFile,
} from "@openclaw/foundation/file-replacement";
import { describe, expect, it, onTestFinished } from "vitest";
import { bindMount, canBindMount } from "../src/testing/bind-mount.js";
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

describe("moveAside", () => {
  it("renames a file over an older one", () => {
    const { folder, file } = place();
    const { ino } = statSync(file);
    writeFileSync(`${file}.1`, "older, and longer than the new one");
    moveAside(file, `${file}.1`);
    expect(statSync(`${file}.1`)).toMatchObject({ ino, size: 18 });
    expect(readdirSync(folder)).not.toContain("openclaw.json");
  });

  it.each(["EBUSY", "EXDEV"])(
    "[GW-222] copies and removes where a rename fails with %s",
    (code) => {
      const { file } = place();
      writeFileSync(`${file}.1`, "older, and longer than the new one");
      moveAside(file, `${file}.1`, failing(code));
      expect(readFileSync(`${file}.1`, "utf8")).toBe("a long old content");
      expect(existsSync(file)).toBe(false);
    },
  );

  it("[GW-222] keeps a file that cannot be copied", () => {
    const { file } = place();
    const move = () => moveAside(file, join(file, "below-a-file"), failing("EBUSY"));
    expect(move).toThrow(
      /it is mounted separately \(EBUSY.*\), and it cannot be copied to .*ENOTDIR/,
    );
    expect(readFileSync(file, "utf8")).toBe("a long old content");
  });

  it("passes other errors on", () => {
    const { file } = place();
    expect(() => moveAside(file, `${file}.1`, failing("ENOSPC"))).toThrow(/ENOSPC/);
  });
});

it("removes a file, and does nothing without one", () => {
  const { file } = place();
  removeFile(file);
  removeFile(file);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, "kept");
  expect(() => removeFile(file, failing("EACCES"))).toThrow(/EACCES/);
});

describe.skipIf(!canBindMount())("[GW-222] a file that is mounted alone", () => {
  function mounted(options: { isReadOnly?: boolean } = {}) {
    const { folder, file, draft } = place();
    const source = join(folder, "source");
    writeFileSync(source, "the old content");
    return { file, draft, source, mount: bindMount(source, file, options) };
  }

  it("is replaced in place", () => {
    const { file, draft, source, mount } = mounted();
    using _mount = mount;
    moveOver(draft, file);
    expect(readFileSync(source, "utf8")).toBe("new");
    writePrivateFile(file, "newer");
    expect(readFileSync(source, "utf8")).toBe("newer");
  });

  it("is copied and emptied instead of moved, and emptied instead of removed", () => {
    const { file, source, mount } = mounted();
    using _mount = mount;
    moveAside(file, `${file}.1`);
    expect(readFileSync(`${file}.1`, "utf8")).toBe("the old content");
    expect(readFileSync(source, "utf8")).toBe("");
    writeFileSync(source, "again");
    removeFile(file);
    expect(readFileSync(source, "utf8")).toBe("");
  });

  it("keeps its content when it is read-only", () => {
    const { file, draft, source, mount } = mounted({ isReadOnly: true });
    using _mount = mount;
    expect(() => moveOver(draft, file)).toThrow(/cannot be written in place \(EROFS/);
    expect(() => writePrivateFile(file, "new")).toThrow(FileReplacementError);
    expect(() => moveAside(file, `${file}.1`)).toThrow(/cannot be emptied \(EROFS/);
    expect(() => removeFile(file)).toThrow(/mount the file with write access/);
    expect(readFileSync(source, "utf8")).toBe("the old content");
  });

  it("receives the content of a rotation", () => {
    const { file, draft, source, mount } = mounted();
    using _mount = mount;
    writeFileSync(source, "older, and longer than the new one");
    moveAside(draft, file);
    expect(readFileSync(source, "utf8")).toBe("new");
    expect(existsSync(draft)).toBe(false);
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
