import { realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generatedCases, temporaryWorkspace } from "@openclaw/foundation/testing";
import type { GrantReach } from "@openclaw/plugin-sdk/approvals";
import { parseCommand } from "@openclaw/safety";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GrantPrefixRefusedError } from "../../src/index.js";
import { choosePrefixes, coveringKeys } from "../../src/prefix/offer.js";
import { brokerHost, callRequest, OWNER, pendingRequest } from "../support/broker-host.js";
import { programs } from "../support/programs.js";

const ALWAYS = { decision: "allow-always", via: "test" } as const;

/**
 * Returns a broker in a workspace whose programs `docker`, `npm` and `tool` need a grant, and `ls`
 * does not. No program has a table of options, except where `reach` gives one.
 */
async function prefixHost({
  isSandboxed = true,
  reach = "sandbox",
}: {
  readonly isSandboxed?: boolean;
  readonly reach?: GrantReach;
} = {}) {
  const { workspaceDir } = await temporaryWorkspace();
  const bin = await programs("docker", "npm", "tool", "ls");
  const settings = { isSandboxed: async () => isSandboxed };
  const host = await brokerHost({ settings, place: { path: bin, workspaceDir } });
  const request = async (text: string, more: object = {}) => {
    const command = await parseCommand(text);
    const { literal } = command;
    const all = literal?.pipelines.flatMap((pipeline) => pipeline.programs) ?? [];
    const uncovered = all.flatMap(({ program }, index) =>
      program === "ls" || program === "cd" ? [] : [index],
    );
    return {
      kind: "exec",
      toolName: "exec",
      params: { command: text, ...more },
      command,
      grantable:
        literal && uncovered.length > 0
          ? { command: literal, uncovered, reach: uncovered.map(() => reach) }
          : undefined,
    } as const;
  };
  const status = async (text: string, more: object = {}, changes: object = {}) =>
    (await host.broker.ask(callRequest({ ...(await request(text, more)), ...changes }))).status;
  const allow = async (text: string, prefixes?: readonly string[]) => {
    const { id } = await pendingRequest(host.broker, await request(text));
    return await host.broker.decide(id, { ...ALWAYS, prefixes }, OWNER);
  };
  const verdict = async (text: string) => await host.broker.ask(callRequest(await request(text)));
  return { ...host, bin, workspaceDir, request, status, allow, verdict };
}

describe("prefix grant", () => {
  it("[APPR-021] of one agent's workspace does not hold in the workspace of another, also with the widest scope", async () => {
    const { broker, request } = await prefixHost();
    const { workspaceDir: elsewhere } = await temporaryWorkspace();
    const helper = { agentId: "helper", sessionKey: "agent:helper:main", workspaceDir: elsewhere };
    const here = { agentId: "helper", sessionKey: "agent:helper:main" };
    const widest = { ...ALWAYS, scope: "global" } as const;
    // The first is granted as a prefix, the second as the exact command.
    for (const text of ["docker compose up -d web", "tool"]) {
      const { id } = await pendingRequest(broker, await request(text));
      await broker.decide(id, widest, OWNER);
      const asked = async (changes: object) =>
        (await broker.ask(callRequest({ ...(await request(text)), ...changes }))).status;
      expect([text, await asked({})]).toEqual([text, "allowed"]);
      expect([text, await asked(here)]).toEqual([text, "allowed"]);
      expect([text, await asked(helper)]).toEqual([text, "pending"]);
    }
  });

  it("[APPR-021] allows only literal commands that start with the words of a granted prefix", async () => {
    const { status, allow, broker, request, store } = await prefixHost();
    const shown = await pendingRequest(broker, await request("docker compose up -d web"));
    expect(shown.grant.prefixes?.map(({ proposed }) => proposed)).toEqual([3]);
    await allow("docker compose up -d web");
    expect((await store.decisions.grants.list()).map(({ label }) => label)).toEqual([
      "docker compose up -d web",
      "docker compose up … (in the sandbox)",
    ]);
    for (const covered of [
      "docker compose up",
      "docker compose up --build other",
      "cd . && docker compose up 2>&1 | ls",
    ]) {
      expect([covered, await status(covered)]).toEqual([covered, "allowed"]);
    }
    for (const other of [
      "docker compose down",
      "docker compose -f x up",
      "docker compose exec up sh",
      "docker up",
      "docker compose up && docker ps",
      "docker compose up && tool x",
      "docker compose up > out.txt",
      "docker compose up $x",
      "env docker compose up",
    ]) {
      expect([other, await status(other)]).toEqual([other, "pending"]);
    }
    expect(await status("docker compose up", { env: { A: "1" } })).toBe("pending");
    const command = "docker compose up x";
    expect(await status(command, {}, { severity: "critical" })).toBe("pending");
    expect(await status(command, {}, { cause: { kind: "plugin" } })).toBe("pending");
    expect(await status(command, {}, { need: "always" })).toBe("pending");
    expect(await status(command, {}, { grantable: undefined })).toBe("pending");
  });

  it("[APPR-021] grants the prefix that the approver chose, unless it grants too much", async () => {
    const { status, allow } = await prefixHost();
    for (const prefix of ["docker", "docker compose down", "compose up", "npm", ""]) {
      await expect(allow("docker compose up -d", [prefix])).rejects.toThrow(
        GrantPrefixRefusedError,
      );
    }
    await allow("docker compose up -d", ["docker compose"]);
    expect(await status("docker compose down")).toBe("allowed");
    expect(await status("docker compose run web sh")).toBe("pending");
    await allow("tool a && tool b", ["tool b"]);
    expect(await status("tool a x")).toBe("allowed");
    expect(await status("tool b && tool a")).toBe("allowed");
    expect(await status("tool c")).toBe("pending");
  });

  it("[APPR-021] grants a script while its text is unchanged", async () => {
    const { status, allow, workspaceDir } = await prefixHost();
    const write = (test: string) =>
      writeFile(join(workspaceDir, "package.json"), JSON.stringify({ scripts: { test } }));
    await write("vitest");
    await allow("npm test");
    expect(await status("npm test -- --watch")).toBe("allowed");
    expect(await status("npm test --prefix evil")).toBe("pending");
    expect(await status("cd nowhere; npm test")).toBe("pending");
    await write("evil");
    expect(await status("npm test")).toBe("pending");
    await write("vitest");
    expect(await status("npm test")).toBe("allowed");
  });

  it("[APPR-021] ends a prefix grant with its revocation, and counts its use only if all needed grants exist", async () => {
    const { status, allow, broker, store } = await prefixHost();
    await allow("tool a && docker ps");
    expect(await status("tool a && docker ps -a")).toBe("allowed");
    expect(await status("tool a && docker images")).toBe("pending");
    const grants = await store.decisions.grants.list();
    expect(grants.map(({ label, uses }) => [label, uses]).sort()).toEqual([
      ["docker ps … (in the sandbox)", 1],
      ["tool a && docker ps", 0],
      ["tool a … (in the sandbox)", 1],
    ]);
    const prefix = grants.find(({ label }) => label.startsWith("tool a …"));
    await broker.revoke({ id: prefix?.id ?? "" }, OWNER);
    expect(await status("tool a && docker ps -a")).toBe("pending");
  });

  it("[APPR-021] grants the exact command where no prefix is safe", async () => {
    const { status, allow, store } = await prefixHost();
    const { grant } = await allow("docker run image");
    expect(grant.prefixes).toBeUndefined();
    expect((await store.decisions.grants.list())[0]?.label).toBe("docker run image");
    expect(await status("docker run image")).toBe("allowed");
    expect(await status("docker run image sh")).toBe("pending");
    await expect(allow("docker run other", ["docker run"])).rejects.toThrow(
      GrantPrefixRefusedError,
    );
  });

  it("[APPR-021] covers the program that was granted, in its workspace", async () => {
    const { store, bin, workspaceDir, allow, status, request } = await prefixHost();
    await allow("docker compose up");
    expect(await status("docker compose up web")).toBe("allowed");
    const call = callRequest(await request("docker compose up web"));
    const settings = { isSandboxed: async () => true };
    const statusIn = async (place: { path: string; workspaceDir: string }) =>
      (await (await brokerHost({ store, place, settings })).broker.ask(call)).status;
    const elsewhere = await temporaryWorkspace();
    expect(await statusIn({ path: bin, workspaceDir })).toBe("allowed");
    expect(await statusIn({ path: await programs("docker"), workspaceDir })).toBe("pending");
    expect(await statusIn({ path: bin, workspaceDir: elsewhere.workspaceDir })).toBe("pending");
  });

  it("[APPR-260] allows further commands of a program with unknown options in the sandbox only, and the granted command outside", async () => {
    const { verdict, allow } = await prefixHost();
    await allow("tool a --in x");
    expect(await verdict("tool a --in x")).toMatchObject({
      status: "allowed",
      authority: { by: "advance" },
    });
    expect(await verdict("tool a --out=/etc/passwd")).toMatchObject({
      status: "allowed",
      authority: { by: "sandbox", command: { pipelines: [{ programs: [{ program: "tool" }] }] } },
    });
  });

  it("[APPR-260] grants the exact command where no sandbox is active, or the program has a table that does not cover it", async () => {
    for (const options of [{ isSandboxed: false }, { reach: "exact" }] as const) {
      const { status, allow, store } = await prefixHost(options);
      const { grant } = await allow("tool a --in x");
      expect(grant).toMatchObject({ covers: "exactly this command" });
      expect(grant.prefixes).toBeUndefined();
      expect(await status("tool a --in x")).toBe("allowed");
      expect(await status("tool a --in x --pre=sh")).toBe("pending");
      expect(await status("tool a")).toBe("pending");
      expect((await store.decisions.grants.list()).map(({ label }) => label)).toEqual([
        "tool a --in x",
      ]);
    }
  });

  it("[APPR-260] allows commands that start with a granted prefix outside the sandbox where the policy checks the words that follow", async () => {
    const { verdict, status, allow, store, broker, request } = await prefixHost({
      isSandboxed: false,
      reach: 2,
    });
    await expect(allow("tool a -x", ["tool"])).rejects.toThrow(GrantPrefixRefusedError);
    await allow("tool a -x");
    expect((await store.decisions.grants.list()).map(({ label }) => label)).toEqual(["tool a …"]);
    expect(await verdict("tool a -y")).toMatchObject({ authority: { by: "advance" } });
    expect(await status("tool b")).toBe("pending");
    // The policy did not recognise an option of this command.
    const beyond = await request("tool a --pre=sh");
    const grantable = beyond.grantable && { ...beyond.grantable, reach: ["exact"] as const };
    expect((await broker.ask(callRequest({ ...beyond, grantable }))).status).toBe("pending");
  });

  it("[APPR-260] binds the exact command to the text of the script that it runs", async () => {
    const { status, allow, workspaceDir } = await prefixHost({ isSandboxed: false });
    const write = (test: string) =>
      writeFile(join(workspaceDir, "package.json"), JSON.stringify({ scripts: { test } }));
    await write("vitest");
    const { grant } = await allow("npm test");
    expect(grant.covers).toBe("exactly this command while its script is unchanged");
    expect(await status("npm test")).toBe("allowed");
    expect(await status("npm test -- --config=evil.ts")).toBe("pending");
    await write("evil");
    expect(await status("npm test")).toBe("pending");
  });

  it("[APPR-021] never allows a command that does not start with the exact words of a prefix", async () => {
    const { workspaceDir } = await temporaryWorkspace();
    const place = { file: "/bin/tool", workspace: await realpath(workspaceDir) };
    const word = fc.constantFrom("a", "b", "c", "-x", "ab");
    const words = fc.array(word, { maxLength: 4 }).map((rest) => ["tool", ...rest]);
    fc.assert(
      fc.property(words, words, fc.nat(4), (granted, called, more) => {
        const length = Math.min(granted.length, more + 1);
        const prefix = granted.slice(0, length);
        const offered = [{ ...place, words: granted, proposed: length }];
        const [chosen] = choosePrefixes("CODE", offered, [prefix.join(" ")]);
        const isCovered = coveringKeys({ ...place, words: called, proposed: 1 }).includes(
          chosen?.key ?? "",
        );
        const isPrefix = prefix.every((each, index) => each === called[index]);
        expect(isCovered).toBe(isPrefix);
      }),
      generatedCases(500),
    );
  });
});
