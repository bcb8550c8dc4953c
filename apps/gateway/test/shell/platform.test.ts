import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { notePlatform } from "../../src/shell/platform.js";

function notesOn(platform: string): string[] {
  const notes: string[] = [];
  notePlatform({ note: (line) => notes.push(line) }, platform);
  return notes;
}

describe("notePlatform", () => {
  it("[HOST-040] prints once that a platform is not supported, with the alternative", () => {
    expect(notesOn("linux")).toEqual([]);
    expect(notesOn("darwin")).toEqual([]);
    expect(notesOn("win32")).toEqual([expect.stringMatching(/win32 is not a supported.*WSL/)]);
  });

  it("[HOST-040] documents the differences between platforms in one table, including what is untested", () => {
    const page = readFileSync(
      fileURLToPath(new URL("../../../../docs/platforms.md", import.meta.url)),
      "utf8",
    );
    for (const word of [
      "Linux",
      "macOS",
      "WSL",
      "not tested",
      "keychain",
      "systemd user unit",
      "sandbox",
    ]) {
      expect(page).toContain(word);
    }
  });
});
