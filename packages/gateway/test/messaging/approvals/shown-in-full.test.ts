import { anyText, generatedCases } from "@openclaw/foundation/testing";
import {
  approvalLines,
  approvalText,
  createApprovalMethods,
  summarizeApproval,
} from "@openclaw/messaging";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createApprovalHost } from "../../support/approval-host.js";
import type { newApproval } from "../../support/new-approval.js";

const HEADER = "-----BEGIN RSA PRIVATE KEY-----";
const CASES = generatedCases(300);

/** Returns a request as every surface receives it. */
async function summary(overrides: Parameters<typeof newApproval>[0]) {
  const { ask, store, approvals } = await createApprovalHost();
  const { id } = await ask(overrides);
  const stored = await store.decisions.approvals.get(id);
  if (stored === undefined) throw new Error("not stored");
  return await summarizeApproval(stored, approvals);
}

/** Reverts the escapes in one pass, as a reader would. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|(.))/gu, (_, point, unit, plain) => {
    if (point !== undefined) return String.fromCodePoint(Number.parseInt(point, 16));
    if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
    return { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }[String(plain)] ?? String(plain);
  });
}

describe("approval request with text that tries to hide", () => {
  it("[APPR-047] shows both lines of a command and of a file, in a conversation and over HTTP", async () => {
    const command = `npm test # ${HEADER}\ntouch x`;
    const content = `# ${HEADER}\nrm -rf y\u202e\u3164\n`;
    const exec = await summary({ tool: "exec", kind: "exec", params: { command } });
    expect(approvalText(exec, 1000)).toContain(
      `with: {"command":"npm test # ${HEADER}\\n\n      touch x"}\nruns: npm test\n      touch x\n`,
    );
    const write = await summary({ params: { path: "a.sh", content } });
    expect(approvalText(write, 1000)).toContain(
      `with: {"path":"a.sh","content":"# ${HEADER}\\n\n      rm -rf y\\u{202e}\\u{3164}\\n\n      "}`,
    );

    const host = await createApprovalHost();
    const methods = createApprovalMethods(host);
    const { id } = await host.ask({ tool: "exec", params: { command } });
    expect(await methods.call("approvals.get", { id })).toMatchObject({
      params: { command },
      text: `{"command":"npm test # ${HEADER}\\ntouch x"}`,
      commands: ["npm test", "touch x"],
    });
  });

  it("[APPR-047] shows the size and digest of content that is too long for a conversation, and where to read it", async () => {
    const content = Array.from({ length: 400 }, (_, line) => `line ${line}\n`).join("");
    const long = await summary({ params: { content } });
    const bounded = approvalText(long, 1000);
    expect(bounded.length).toBeLessThan(2500);
    expect(bounded).toMatch(
      new RegExp(
        `line 23\\\\n\\n {6}\\(parameters shortened: \\d+ characters, 401 lines, SHA-256 [0-9a-f]{16}; read all of it before you decide: openclaw approvals show ${long.code}\\)`,
      ),
    );
    const whole = approvalLines(long, 1000, "whole").map(({ value }) => value);
    expect(whole).toContain("line 399\\n");
    const size = /\d+ characters, 401 lines, SHA-256 [0-9a-f]{16}/.exec(bounded)?.[0];
    expect(whole).toContain(`(${size})`);
  });

  it("[APPR-047] is shown so that reverting the escapes returns the parameters", async () => {
    const unseen = fc.constantFrom(
      "\n",
      "\r\n",
      "\u202e",
      "\u200b",
      "\u001b[2K",
      "\u00a0",
      "\ud800",
    );
    const tricky = fc.constantFrom("\\", "\\n", '"', "\\u{202e}", " ", "ls", HEADER, "\u{e0041}");
    const text = fc
      .array(fc.oneof(unseen, tricky, anyText()), { maxLength: 12 })
      .map((parts) => parts.join(""));
    const host = await createApprovalHost();
    const stored = await host.ask({ params: {} });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, text, { maxKeys: 4 }), async (params) => {
        const shown = await summarizeApproval({ ...stored, params }, host.approvals);
        expect(shown.text).not.toMatch(/(?! )[\p{C}\p{Z}\p{DI}\u2800]/u);
        const lines = approvalLines(shown, 1000, "whole");
        const first = lines.findIndex(({ name }) => name === "with");
        if (first === -1) return;
        const end = lines.findIndex(({ name }) => name === "agent");
        const rows = lines.slice(first, end).map(({ value }) => value);
        const joined = rows.filter((row) => !/^\(\d+ characters,/.test(row)).join("");
        expect(joined).toBe(shown.text);
        const strings = [...joined.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, body]) =>
          unescaped(`${body}`),
        );
        expect(strings).toEqual(Object.entries(params).flat());
      }),
      CASES,
    );
  });
});
