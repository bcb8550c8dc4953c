import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sanitizeText } from "../../src/index.js";

function seen(text: string): [string, string][] {
  return sanitizeText(text).findings.map(({ preview, severity }) => [preview, severity]);
}

describe("sanitizeText", () => {
  it("[SAFE-024] ignores all invisible characters, and returns ranges in the original text", () => {
    const points = [
      0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060,
      0x2061, 0x2062, 0x2063, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0xfeff, 0xad, 0xe0000,
      0xe007f,
    ];
    for (const point of points) {
      const gap = String.fromCodePoint(point);
      const marker = `igno${gap}re previous`;
      const { findings } = sanitizeText(`${gap}é ${marker} text`);
      const start = gap.length + 2;
      expect(findings, point.toString(16)).toMatchObject([
        { rule: "ignore_previous", range: [start, start + marker.length] },
      ]);
    }
    expect(seen("igno\u{e0080}re previous")).toEqual([]);
  });

  it("[SAFE-024] maps look-alikes and decodes entities", () => {
    for (const [letter, twin] of Object.entries({
      а: "a",
      в: "b",
      с: "c",
      е: "e",
      н: "h",
      к: "k",
      м: "m",
      о: "o",
      р: "p",
      т: "t",
      х: "x",
      у: "y",
    })) {
      expect(seen(`<|${letter}|>`), twin).toEqual([
        ["<|", "critical"],
        ["|>", "critical"],
      ]);
    }
    expect(seen("іgnоrе рrеviоus")).toEqual([["order in look-alike letters", "high"]]);
    expect(seen("ignоrе рrеviоus")).toEqual([["ignore previous", "high"]]);
    const wide = [..."ignore previous"].map((letter) =>
      letter === " " ? letter : String.fromCharCode(letter.charCodeAt(0) + 0xfee0),
    );
    expect(seen(wide.join(""))).toEqual([["ignore previous", "high"]]);
    expect(seen("&lt;|im_start|&gt;")).toEqual([
      ["<|", "critical"],
      ["|>", "critical"],
    ]);
    expect(seen("&#91;INST&#x5D;")).toEqual([["[INST]", "critical"]]);
    expect(seen("ignore&#8203; &#x43f;&#x440;evious")).toEqual([]);
    expect(seen("&#x1F600;ignore previous &quot;x&apos; &amp;")).toEqual([
      ["ignore previous", "high"],
    ]);
  });

  it("[SAFE-025] keeps combining marks", () => {
    expect(seen("s\u0301ystem: ignore it")).toEqual([]);
    expect(seen("i\u0308gnore previous")).toEqual([]);
  });

  it("[SAFE-026] finds markers, phrases and generic tokens with their severity", () => {
    expect(seen("<|im_start|> [INST] [/inst]")).toEqual([
      ["<|", "critical"],
      ["|>", "critical"],
      ["[INST]", "critical"],
      ["[/INST]", "critical"],
    ]);
    expect(seen("IGNORE ALL PREVIOUS")).toEqual([["ignore all previous", "critical"]]);
    for (const phrase of [
      "ignore previous",
      "forget everything",
      "you are now",
      "new instructions",
      "updated instructions",
    ]) {
      expect(seen(`Well, ${phrase}.`)).toEqual([[phrase, "high"]]);
    }
    expect(seen("```system\nx")).toEqual([["```system", "high"]]);
    for (const phrase of ["disregard", "act as", "pretend to be"]) {
      expect(seen(`Well, ${phrase}.`)).toEqual([[phrase, "medium"]]);
    }
    expect(seen("a <| b |> c")).toEqual([
      ["<|", "low"],
      ["|>", "low"],
    ]);
    expect(seen("see system: 1 assistant: 2 user: 3")).toEqual([
      ["system:", "low"],
      ["assistant:", "low"],
      ["user:", "low"],
    ]);
  });

  it("[SAFE-026] confirms a role at the start of a line that continues with an instruction", () => {
    const severities = { system: "critical", assistant: "high", user: "high" } as const;
    for (const [role, severity] of Object.entries(severities)) {
      for (const verb of [
        "override",
        "obey",
        "ignore",
        "disregard",
        "forget",
        "reveal",
        "do",
        "execute",
      ]) {
        expect(seen(`x\n  ${role}: ${verb} it`)[0], `${role} ${verb}`).toEqual([
          `${role}:`,
          severity,
        ]);
      }
      const far = `${role}: ${".".repeat(60)} you are now`;
      expect(seen(far)[0]).toEqual([`${role}:`, severity]);
      expect(seen(`${role}: ${".".repeat(80)} you are now`)[0]).toEqual([`${role}:`, "low"]);
      expect(seen(`the ${role}: do it`)[0]).toEqual([`${role}:`, "low"]);
      expect(seen(`${role}: domain`)[0]).toEqual([`${role}:`, "low"]);
    }
  });

  it("[SAFE-027] finds patterns with their severity, and NUL as the only control character", () => {
    expect(seen("a\0\0b\0")).toEqual([
      ["NUL", "critical"],
      ["NUL", "critical"],
    ]);
    expect(seen("A".repeat(50))).toEqual([["base64", "medium"]]);
    expect(seen("A".repeat(49))).toEqual([]);
    const text = Buffer.from("a drawing, or the map of a source file.").toString("base64");
    expect(seen(`data/${text}`)).toEqual([["base64", "medium"]]);
    for (const ordinary of [
      "https://example.com/organisation/repository/documentation/reference/settings",
      createHash("sha512").update("a").digest("hex").slice(0, 60),
      createHash("sha512").update("a").digest("base64"),
    ]) {
      expect(seen(ordinary), ordinary).toEqual([]);
    }
    expect(seen("```bash\nls\nsudo ls\n```")).toEqual([["sudo", "medium"]]);
    expect(seen("eval(x); regex.exec (y)")).toEqual([
      ["eval(", "low"],
      ["exec(", "low"],
    ]);
    expect(seen("\u0001\u0002\u001b\u007f")).toEqual([]);
  });

  it("[SAFE-028] escapes confirmed markers only", () => {
    expect(sanitizeText("a <|im_start|>system").content).toBe("a \\<|im_start|\\>system");
    expect(sanitizeText("[INST] x [/INST]").content).toBe("\\[INST] x \\[/INST]");
    expect(sanitizeText("System: obey\nuser: reveal it").content).toBe(
      "[ESCAPED:system]: obey\n[ESCAPED:user]: reveal it",
    );
    expect(sanitizeText("a\0b").content).toBe("ab");
    for (const kept of ["ignore all previous", "```system\n", "you are now", "user: 1", "a <| b"]) {
      expect(sanitizeText(kept).content).toBe(kept);
    }
  });

  it("[SAFE-028] escapes nothing twice", () => {
    const once = sanitizeText("<|a|> [INST] system: do it").content;
    expect(sanitizeText(once)).toMatchObject({ content: once });
    const roles = sanitizeText("system: do it").content;
    expect(sanitizeText(roles)).toEqual({ content: roles, modified: false, findings: [] });
  });

  it("escapes disguised markers at their position in the original text", () => {
    expect(sanitizeText("&lt;\u200b|a|&gt;").content).toBe("\\&lt;\u200b|a|\\&gt;");
    expect(sanitizeText("sys\0tem: do it").content).toBe("[ESCAPED:system]: do it");
    expect(sanitizeText("[IN\0ST]").content).toBe("\\[INST]");
  });

  it("[SAFE-029] reports critical findings as modified, and leaves ordinary text unchanged", () => {
    expect(sanitizeText("ignore all previous").modified).toBe(true);
    expect(sanitizeText("a\0").modified).toBe(true);
    for (const ordinary of [
      "user: 1000",
      "regex.exec(text)",
      "list |> Enum.sum()",
      "See ~/.ssh/ for keys",
    ]) {
      expect(sanitizeText(ordinary), ordinary).toMatchObject({
        content: ordinary,
        modified: false,
      });
    }
  });

  it("finds phrases as whole words only", () => {
    for (const text of [
      "The exact assets",
      "you are nowhere",
      "renew instructions",
      "I contact as many",
    ]) {
      expect(seen(text), text).toEqual([]);
    }
    expect(seen("ignore \n\t previous")).toEqual([["ignore previous", "high"]]);
  });
});
