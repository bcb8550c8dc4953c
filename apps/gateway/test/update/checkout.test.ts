import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { Checkout } from "../../src/update/checkout.js";

const AUTHOR = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];

/** Makes a repository with an upstream, and an `npx` that records its calls and fails for a broken version. */
function checkoutWithUpstream() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const git = (place: string, ...args: string[]) =>
    execFileSync("git", [...AUTHOR, ...args], {
      ...{ cwd: join(folder.path, place), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    }).trim();
  const commit = (text: string) => {
    folder.write({ "upstream/version": text });
    git("upstream", "add", ".");
    git("upstream", "commit", "-q", "-m", text);
    return git("upstream", "rev-parse", "HEAD");
  };
  folder.write({
    "upstream/package.json": JSON.stringify({ packageManager: "pnpm@12.21.0" }),
    "bin/npx": `#!/bin/sh\necho "$* at $(cat version)" >> ../calls\n[ "$(cat version)" != broken ] || exit 7\n`,
  });
  chmodSync(join(folder.path, "bin/npx"), 0o755);
  git("upstream", "init", "-q", "-b", "main");
  const first = commit("one");
  git(".", "clone", "-q", "upstream", "checkout");
  const environment = { ...process.env, PATH: `${join(folder.path, "bin")}:${process.env.PATH}` };
  const checkout = new Checkout(join(folder.path, "checkout"), environment);
  return { folder, checkout, commit, first, head: () => git("checkout", "rev-parse", "HEAD") };
}

function calls({ path }: TemporaryFolder): readonly string[] {
  const file = join(path, "calls");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

describe("Checkout", () => {
  it("[GW-060] builds the upstream revision, and goes back to the one from before", async () => {
    const { folder, checkout, commit, first, head } = checkoutWithUpstream();
    expect(await checkout.stage(undefined)).toMatchObject({ isCurrent: true });
    const second = commit("two");
    const staged = await checkout.stage(undefined);
    expect(staged).toMatchObject({ isCurrent: false, name: second.slice(0, 12) });
    expect(head()).toBe(first);
    await staged.activate();
    expect(head()).toBe(second);
    await staged.revert();
    expect(head()).toBe(first);
    const [install, build] = ["-y pnpm@12.21.0 install --frozen-lockfile", "-y pnpm@12.21.0 build"];
    expect(calls(folder)).toEqual([
      ...[`${install} at two`, `${build} at two`, `${install} at one`, `${build} at one`],
    ]);
  });

  it("[GW-060] fails when the revision does not build, and can go back", async () => {
    const { checkout, commit, first, head } = checkoutWithUpstream();
    commit("broken");
    const staged = await checkout.stage(undefined);
    await expect(staged.activate()).rejects.toMatchObject({ code: "UPDATE_FAILED" });
    await staged.revert();
    expect(head()).toBe(first);
  });

  it("[GW-060] is not touched when files were changed or the revision does not exist", async () => {
    const { folder, checkout, first, head } = checkoutWithUpstream();
    await expect(checkout.stage("v9.9.9")).rejects.toMatchObject({ code: "UPDATE_REFUSED" });
    folder.write({ "checkout/version": "mine" });
    await expect(checkout.stage(undefined)).rejects.toThrow("commit or stash them");
    expect(head()).toBe(first);
    expect(calls(folder)).toEqual([]);
  });
});
