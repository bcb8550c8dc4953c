import { execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCoreTools } from "../../../src/core-tools.js";
import { callTool, textOf } from "../../support/call-tool.js";

const ENVIRONMENT = { PATH: process.env.PATH };
/** In CI the sandbox must be there; elsewhere a machine may have none. */
const IS_OPTIONAL = process.env.CI === undefined && !existsSync("/usr/bin/bwrap");

/** Runs whole shell commands as those that the sandbox alone bounds, with the real bubblewrap. */
async function contained() {
  const tree = await temporaryWorkspace();
  const tools = createCoreTools({ ...tree, environment: ENVIRONMENT, sandbox: "auto" });
  const authorization = { run: "shell", access: "contained" } as const;
  const run = async (command: string) =>
    textOf(await callTool(tools, "exec", { command }, { authorization }));
  return { tree, run };
}

/** Returns a shell command that runs lines of bash, which knows `/dev/tcp`. */
const bash = (lines: string) => `bash -c '${lines}'`;

describe.skipIf(IS_OPTIONAL || process.platform !== "linux")(
  "condition of the read-only sandbox:",
  () => {
    it("[TURN-260] no network: TCP, UDP, abstract sockets and sockets of the workspace reach no program outside", async () => {
      const { tree, run } = await contained();
      const path = join(tree.workspaceDir, "service.sock");
      const addresses = [
        { host: "127.0.0.1", port: 0 },
        { path: "\0openclaw-condition" },
        { path },
      ];
      const ports: number[] = [];
      let reached = 0;
      for (const address of addresses) {
        const server = createServer((socket) => {
          reached += 1;
          socket.end("reached");
        }).listen(address);
        await once(server, "listening");
        onTestFinished(() => void server.close());
        const bound = server.address();
        if (typeof bound === "object" && bound !== null) ports.push(bound.port);
      }
      const datagrams = createSocket("udp4", () => (reached += 1));
      datagrams.bind(0, "127.0.0.1");
      await once(datagrams, "listening");
      onTestFinished(() => void datagrams.close());
      const [port = 0] = ports;
      const connect = (to: string) => `s=socket.socket(socket.AF_UNIX); s.connect(${to})`;
      for (const command of [
        bash(`read line < /dev/tcp/127.0.0.1/${port} && echo "got $line"`),
        bash("read line < /dev/tcp/1.1.1.1/53"),
        `python3 -c 'import socket; ${connect('"\\0openclaw-condition"')}'`,
        `python3 -c 'import socket; ${connect(JSON.stringify(path))}'`,
      ]) {
        const text = await run(command);
        expect([command, text]).toEqual([command, expect.not.stringContaining("got reached")]);
        expect([command, text]).toEqual([command, expect.not.stringContaining("Exit code 0")]);
      }
      // A datagram to no program does not fail.
      await run(bash(`echo hello > /dev/udp/127.0.0.1/${datagrams.address().port}`));
      expect(await run("cat /proc/net/dev")).not.toMatch(/^\s*(?!lo:|face|Inter)\w+:/m);
      expect(reached).toBe(0);
    });

    it("[TURN-260] an empty home, and no variable of the host", async () => {
      const { run } = await contained();
      process.env.OPENCLAW_CONDITION_SECRET = "secret";
      onTestFinished(() => void delete process.env.OPENCLAW_CONDITION_SECRET);
      const text = await run("ls -A ~ | wc -l; echo home $HOME; env; ls -A /root");
      expect(text).toMatch(/^0\nhome \/home\/sandbox\n/m);
      expect(text).not.toContain("secret");
      expect(text).toContain("/root");
      // Folders of PATH may be below it.
      expect(await run(`find ${homedir()} -maxdepth 1 -type f`)).not.toMatch(/^\//m);
    });

    it("[TURN-260] its own processes: none of the host is seen or gets a signal", async () => {
      const { run } = await contained();
      const victim = spawn("sleep", ["60"]);
      onTestFinished(() => void victim.kill("SIGKILL"));
      await once(victim, "spawn");
      const text = await run(`ps aux; ls -d /proc/[0-9]*; kill -9 ${victim.pid}; kill -9 -1`);
      expect(text).not.toContain("sleep 60");
      expect(text).not.toContain(`/proc/${victim.pid}\n`);
      const seen = [...text.matchAll(/^\/proc\/\d+$/gm)];
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.length).toBeLessThan(10);
      expect(victim.exitCode).toBeNull();
      expect(victim.signalCode).toBeNull();
      // What it leaves in the background ends with it.
      await run("sleep 61 & true");
      expect(execFileSync("ps", ["ax", "-o", "args"], { encoding: "utf8" })).not.toMatch(
        /^sleep 61$/m,
      );
    });

    it("[TURN-260] nothing outside the workspace and the system folders is visible", async () => {
      const { tree, run } = await contained();
      await tree.file("outside/secret.txt", "secret\n");
      const text = await run(
        `ls -A /; echo --; ls -A /etc; echo --; find / -xdev -name secret.txt`,
      );
      const [root = "", etc = "", found = ""] = text.split("--\n");
      const [top = ""] = tree.base.split("/").filter(Boolean);
      const known = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "opt", "nix"];
      const others = root
        .split("\n")
        .filter((name) => name !== "" && !name.startsWith("["))
        .filter(
          (name) => ![...known, "etc", "proc", "dev", "tmp", "home", "sys", top].includes(name),
        );
      // Folders of PATH may be elsewhere.
      const onPath = (process.env.PATH ?? "").split(":").map((folder) => folder.split("/")[1]);
      expect(others.filter((name) => !onPath.includes(name))).toEqual([]);
      expect(etc).not.toMatch(/^(?:shadow|hosts|ssh|ssl|sudoers.*|gshadow)$/m);
      expect(found).not.toContain("secret.txt");
      for (const path of ["/etc/shadow", "/etc/hosts", "/var/log", "/run", "/mnt", "/srv"]) {
        expect([path, await run(`cat ${path} ${path}/*`)]).toEqual([
          path,
          expect.stringContaining("No such file"),
        ]);
      }
      expect(await run(`cat ${join(tree.base, "outside/secret.txt")}`)).not.toContain("secret\n");
      expect(readdirSync("/home")).not.toContain("sandbox");
    });

    it("[TURN-260] nothing is written: not the workspace, the system, devices or a file system mounted again", async () => {
      const { tree, run } = await contained();
      for (const target of ["made", "/usr/made", "/etc/made", "/home/sandbox/made", "/dev/sda"]) {
        expect([target, await run(`echo x > ${target}`)]).toEqual([
          target,
          expect.not.stringContaining("Exit code 0"),
        ]);
      }
      const mounts = await run(
        "mount -o remount,rw /; mount -t tmpfs none /mnt; unshare -rm true; echo end",
      );
      expect(mounts).not.toContain("mounted");
      expect(mounts).toMatch(/Operation not permitted[\s\S]*end/);
      expect(readdirSync(tree.workspaceDir)).toEqual([]);
    });

    it("[TURN-260] private files are hidden, whatever reads them", async () => {
      const { tree, run } = await contained();
      const files = [
        ".env",
        ".env.production",
        "app/.env.local",
        ".npmrc",
        ".netrc",
        ".pgpass",
        "keys/id_ed25519",
        "keys/server.key",
        "keys/server.pem",
        ".aws/credentials",
        ".ssh/config",
        ".git/config",
        ".kube/config",
        ".docker/config.json",
        "service-account.p12",
      ];
      for (const name of files) await tree.file(`workspace/${name}`, "private content\n");
      await tree.file("workspace/app/main.js", "public content\n");
      const readers = [
        "cat",
        "head -c 99",
        "dd status=none if=",
        "python3 -c 'import sys; print(open(sys.argv[1]).read())'",
      ];
      for (const reader of readers) {
        for (const name of files) {
          const text = await run(reader.endsWith("=") ? `${reader}${name}` : `${reader} ${name}`);
          expect([reader, name, text]).toEqual([
            reader,
            name,
            expect.not.stringContaining("private content"),
          ]);
        }
      }
      const all = await run(
        "grep -rn content . ; find . -type f -exec cat {} +; tar c . | strings",
      );
      expect(all).toContain("public content");
      expect(all).not.toContain("private content");
    });

    it("[TURN-262] a filter of system calls holds, also in programs that a program starts", async () => {
      const { run } = await contained();
      const status = await run("cat /proc/self/status; sh -c 'sh -c \"cat /proc/self/status\"'");
      expect(status.match(/^Seccomp:\s+2$/gm)).toHaveLength(2);
      expect(status.match(/^NoNewPrivs:\s+1$/gm)).toHaveLength(2);
      expect(status.match(/^CapEff:\s+0+$/gm)).toHaveLength(2);
      expect(status.match(/^CapBnd:\s+0+$/gm)).toHaveLength(2);
      for (const command of ["unshare -U true", "unshare -m true", "nsenter -t 1 -m true"]) {
        expect([command, await run(command)]).toEqual([
          command,
          expect.stringMatching(/not permitted|Permission denied|Invalid argument/),
        ]);
      }
    });

    it("[TURN-262] processes, memory, files and temporary files are limited", async () => {
      const { run } = await contained();
      const limits = await run(
        "ulimit -u; ulimit -d; ulimit -f; df -k --output=size /tmp | tail -1",
      );
      const [processes, memory = 0, file, temporary] = limits
        .split("\n")
        .map((line) => Number(line.trim()));
      expect({ processes, file, temporary }).toEqual({
        ...{ processes: 2048, file: 8 * 1024 ** 2, temporary: 1024 ** 2 },
      });
      expect(memory).toBeGreaterThan(0);
      expect(memory).toBeLessThanOrEqual(8 * 1024 ** 2);
      // Neither limit can be raised again.
      expect(
        await run("ulimit -u 4096 && echo raised; ulimit -f unlimited && echo raised"),
      ).not.toMatch(/^raised$/m);
      expect(await run("truncate -s 9G /tmp/big; ls -s /tmp/big")).toMatch(/^0 \/tmp\/big$/m);
    });
  },
);
