import { describe, expect, it } from "vitest";
import { sensitivePath } from "../../src/index.js";

describe("sensitivePath", () => {
  it.each([
    ["/app/.env", "dotenv"],
    ["/app/.ENV.production", "dotenv"],
    ["/app/.env.production.dist", "dotenv"],
    ["/home/u/.ssh", "credentials"],
    ["/home/u/.ssh/known_hosts", "credentials"],
    ["C:\\Users\\u\\.aws\\credentials", "credentials"],
    ["/home/u/.kube/config", "credentials"],
    ["/home/u/.docker/config.json", "credentials"],
    ["/home/u/.docker/daemon.json", "credentials"],
    ["/home/u/.histfile", "credentials"],
    ["/home/u/.ironclaw/secrets/keys.json", "credentials"],
    ["/home/u/.config/gcloud/x.json", "credentials"],
    ["/home/u/.bash_history", "credentials"],
    ["/home/u/.netrc", "credentials"],
    ["/app/.npmrc", "credentials"],
    ["/home/u/.pgpass", "credentials"],
    ["/home/u/.git-credentials", "credentials"],
    ["/home/u/.vault-token", "credentials"],
    ["/srv/backup/id_ed25519", "credentials"],
    ["/srv/a.pem", "key"],
    ["/srv/a.key", "key"],
    ["/srv/a.p12", "key"],
    ["/srv/a.pfx", "key"],
    ["/srv/a.jks", "key"],
    ["/srv/a.keystore", "key"],
    ["/etc/./x/../shadow", "system"],
    ["/proc/self/environ", "system"],
    ["/app/.env.sample/db.conf", "dotenv"],
    ["/app/.ENV.Example\\nested\\x", "dotenv"],
    ["/app/.env.production/web", "dotenv"],
    ["/app/.env/web", "dotenv"],
    ["/app/.env/nested/lib/x", "dotenv"],
  ])("[SAFE-047] closes %s (%s)", (path, kind) => {
    expect(sensitivePath(path)?.kind).toBe(kind);
  });

  it.each([
    "/app/.env.example",
    "/app/.env.template",
    "/app/.env.sample",
    "/app/.env/lib/python3.13/site.py",
    "/app/.env/bin/activate",
    "/app/.env/pyvenv.cfg",
    "/app/a.key.dist",
    "/app/a.pem.dist",
    "/app/.envrc",
    "/app/.environment",
    "/app/src/main.rs",
    "/app/daemon.json",
    "/app/histfile",
    "/home/u/.ironclaw/config.json",
    "/app/keys.ts",
    "/home/u/ssh/x",
    "/",
  ])("[SAFE-047] leaves %s open", (path) => {
    expect(sensitivePath(path)).toBeUndefined();
  });

  it("[SAFE-047] closes the state folder except for its open folder", () => {
    const folders = {
      stateFolder: "/home/u/.openclaw",
      openFolder: "/home/u/.openclaw/workspace/",
    };
    expect(sensitivePath("/home/u/.openclaw", folders)?.kind).toBe("state");
    expect(sensitivePath("/home/u/.openclaw/store.db", folders)?.kind).toBe("state");
    expect(sensitivePath("/home/u/.openclaw/workspace/a.md", folders)).toBeUndefined();
    expect(sensitivePath("/home/u/.openclaw/workspace/.env", folders)?.kind).toBe("dotenv");
    expect(sensitivePath("/home/u/.openclaw-notes", folders)).toBeUndefined();
    expect(sensitivePath("/x", { stateFolder: "/" })?.kind).toBe("state");
  });
});
