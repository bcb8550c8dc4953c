import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalSummary } from "@openclaw/protocol";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const WAITING = '{ approvals: { headless: "wait" } }';
const DESTRUCTIVE = "run `touch made && rm -rf build`";

/** A folder in which a call waits for an answer, asked by a gateway that was killed since. */
async function placeWithQuestion(request = DESTRUCTIVE) {
  const place = emptyPlace();
  place.writeState({ "openclaw.json": WAITING });
  await using gateway = await startGateway(place);
  const post = (path: string, body: object) =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${gateway.token}`,
        "content-type": "application/json",
        "x-openclaw-session-key": "agent:main:main",
      },
      body: JSON.stringify(body),
    });
  const messages = [{ role: "user", content: request }];
  const asking = post("/v1/chat/completions", { model: "openclaw", messages }).catch(() => {});
  for (;;) {
    const listed = await (await post("/api/v1/approvals/list", {})).json();
    const [question] = (listed as { approvals: ApprovalSummary[] }).approvals;
    if (question === undefined) continue;
    await gateway.end("SIGKILL");
    await asking;
    return { place, question };
  }
}

/** Changes a row of the audit log, which the check must detect. */
function tamper(state: string, before: string, after: string): void {
  const file = join(state, "openclaw.db");
  const bytes = readFileSync(file);
  const at = bytes.indexOf(before);
  expect(at).toBeGreaterThan(0);
  bytes.write(after, at);
  writeFileSync(file, bytes);
}

describe("openclaw approvals", () => {
  it("[APPR-023] [APPR-034] shows, decides and audits requests of an earlier gateway", async () => {
    const { place, question } = await placeWithQuestion();
    using _place = place;
    const run = (...args: string[]) => openclaw(["approvals", ...args], place);
    const listed = await run("list");
    expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
    expect(listed.stdout).toMatch(
      new RegExp(`^${question.code}  exec  .* left  agent:main:main$`, "m"),
    );
    const shown = await run("show", question.code.toLowerCase());
    for (const part of ["rm -rf build", "severity critical", question.id, "digest"]) {
      expect(shown.stdout).toContain(part);
    }
    for (const line of shown.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);

    const always = await run("approve", question.code, "--always");
    expect(always.exitCode).toBe(3);
    expect(always.stderr).toContain("allow-once, deny");
    const denied = await run("deny", question.id, "--json");
    expect(denied.exitCode).toBe(0);
    expect(JSON.parse(denied.stdout)).toMatchObject({ state: "denied", decidedBy: "cli:operator" });
    const late = await run("approve", question.id);
    expect(late.exitCode).toBe(3);
    expect(late.stderr).toContain("denied by cli:operator");

    expect((await run("history")).stdout).toContain("denied");
    expect((await run("show", "NOSUCH")).exitCode).toBe(4);
    expect((await run("revoke", "grt_none")).exitCode).toBe(4);
    expect((await run("revoke")).exitCode).toBe(2);
    expect((await run("revoke", "--all", "--json")).stdout).toBe('{"revoked":[]}\n');
    expect((await run("grants")).stdout).toBe("No grants.\n");
    expect(existsSync(join(place.workspace, "made"))).toBe(false);

    const audit = await run("audit", "--approval", question.code, "--json");
    const rows = audit.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ event }) => event)).toEqual(["created", "refused", "decided", "refused"]);
    expect(rows[2]).toMatchObject({
      approvalId: question.id,
      digest: question.digest,
      actor: { channel: "cli", id: "operator" },
      via: "cli",
      decision: "denied",
    });
    const whole = await run("audit", "--verify");
    expect(whole).toMatchObject({ exitCode: 0, stdout: "Audit log intact (4 entries).\n" });
    tamper(place.state, '"decision":"denied"', '"decision":"DENIED"');
    const broken = await run("audit", "--verify", "--json");
    expect(broken.exitCode).toBe(3);
    expect(JSON.parse(broken.stdout)).toMatchObject({ intact: false, seq: 3 });
  });

  it("[APPR-055] shows the change of a file as a diff", async () => {
    const { place, question } = await placeWithQuestion("write hello.txt: Hello");
    using _place = place;
    const { stdout } = await openclaw(["approvals", "show", question.code], place);
    expect(stdout).toContain("  +++ b/hello.txt\n  @@ -0,0 +1,1 @@\n  +Hello\n");
  });

  it("[APPR-021] [APPR-056] shows the prefix that `always` would grant, and lets the approver change it", async () => {
    const { place, question } = await placeWithQuestion("run `git add v1`");
    using _place = place;
    expect(question).toMatchObject({ grantPrefixes: ["git add"], grantsInSandbox: false });
    const run = (...args: string[]) => openclaw(["approvals", ...args], place);
    const shown = await run("show", question.code);
    expect(shown.stdout).toContain(
      "always   allows commands that start with `git add` and have only options of its table for this agent",
    );
    const refused = await run("approve", question.code, "--prefix", "git");
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("it would grant too much");
    const approved = await run("approve", question.code, "--prefix", "git add v1");
    expect(approved.exitCode).toBe(0);
    expect((await run("grants")).stdout).toContain("git add v1 …");
  });

  it("[APPR-032] keeps a request through kill -9, and its turn resumes in the next gateway", async () => {
    const { place, question } = await placeWithQuestion();
    using _place = place;
    const approved = await openclaw(["approvals", "approve", question.code], place);
    expect(approved.stdout).toContain("resumes when one starts");
    expect(existsSync(join(place.workspace, "made"))).toBe(false);
    await using gateway = await startGateway(place);
    const show = async (): Promise<ApprovalSummary> => {
      const response = await fetch(`${gateway.url}/api/v1/approvals/get`, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.token}` },
        body: JSON.stringify({ id: question.id }),
      });
      return (await response.json()) as ApprovalSummary;
    };
    let shown = await show();
    while (shown.consumedAt === undefined) shown = await show();
    expect(shown).toMatchObject({ state: "allowed-once", toolCallId: question.toolCallId });
    await gateway.end("SIGTERM");
    expect(existsSync(join(place.workspace, "made"))).toBe(true);
  });

  it("[APPR-046] lists tools that run without approval in the start-up message, and the documentation has an example for CI", async () => {
    using place = emptyPlace();
    await using gateway = await startGateway(place, ["--approve-tool", "exec"]);
    // With a sandbox the setting covers more, and the notice says so.
    const notice =
      /exec runs commands (made of literal words|in the sandbox, which can write to the workspace,) without approval \(--approve-tool\)/;
    expect(gateway.output().stdout).toMatch(notice);
    await gateway.end("SIGTERM");
    const chat = await openclaw(
      ["chat", "--approve-tool", "exec", "-m", "run `touch made`"],
      place,
    );
    expect(chat.stderr).toMatch(notice);
    expect(existsSync(join(place.workspace, "made"))).toBe(true);
    const page = readFileSync(
      new URL("../../../../docs/use/unattended.md", import.meta.url),
      "utf8",
    );
    for (const part of ["## In CI", "--approve-tool", "tools.approval", "unattended"]) {
      expect(page).toContain(part);
    }
  });
});
