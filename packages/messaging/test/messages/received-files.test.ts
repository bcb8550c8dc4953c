import { temporaryFolder } from "@openclaw/foundation/testing";
import { afterAll, describe, expect, it } from "vitest";
import { ReceivedFiles } from "../../src/messages/received-files.js";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const save = (name: string) =>
  new ReceivedFiles(() => folder.path).save("any", {
    name,
    mimeType: "text/plain",
    content: new Uint8Array(1),
  });

const NAMES: readonly (readonly [given: string, shown?: string])[] = [
  ["合同 最终版.pdf"],
  ["عقد نهائي.pdf"],
  ["שלום.txt"],
  ["📄🦞 plan.pdf"],
  ["Zoë.tar.gz"],
  [`a";name="b.pdf`],
  [".env"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Windows\\system32\\cmd.exe", "cmd.exe"],
  ["/etc/shadow/", "file"],
  ["..", "file"],
  ["", "file"],
  ["\u200b\u202e", "file"],
  ["invoice\u202efdp.exe", "invoice fdp.exe"],
  ["one\r\ntwo\0.txt", "one two .txt"],
  ["line\u2028end\u2029.txt", "line end .txt"],
  ["half \ud83d.txt", "half \ufffd.txt"],
  ["name.txt. . ", "name.txt"],
  ["NUL", "_NUL"],
  ["com1.txt", "_com1.txt"],
  ["console.txt"],
];

describe("the name of a file that a stranger sends", () => {
  it.each(NAMES)(
    "[CHAN-890] has any script, and no folder, device or unseen character: %j",
    async (given = "", shown = given) => {
      const { name, path = "" } = await save(given);
      expect(name).toBe(shown);
      expect(path).toMatch(/[\\/]any[\\/][0-9a-f-]{36}(?:\.[A-Za-z0-9]{1,16})?$/);
    },
  );

  it("[CHAN-890] has at most 255 bytes, with its ending and whole characters", async () => {
    for (const letter of ["a", "长", "🦞"]) {
      const { name = "" } = await save(`${letter.repeat(300)}.pdf`);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name).toMatch(/\.pdf$/);
      expect(name.isWellFormed()).toBe(true);
    }
  });

  it("[CHAN-890] may be used twice", async () => {
    const [first, second] = [await save("a.txt"), await save("a.txt")];
    expect(first.path).not.toBe(second.path);
  });
});
