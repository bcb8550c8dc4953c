import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { NetworkPolicy } from "@openclaw/safety";
import { describe, expect, it, onTestFinished } from "vitest";
import { DEFAULT_HOSTS, hostsOf, isAllowed } from "../../src/workers/egress/allow-list.js";
import { EgressProxy } from "../../src/workers/egress/proxy.js";

/** A proxy, and the server that it reaches as `allowed.example.com`. */
async function openProxy(hosts: readonly string[] | undefined) {
  const folder = temporaryFolder("egress");
  onTestFinished(() => folder[Symbol.dispose]());
  const server = createServer((incoming, response) => response.end(`hello ${incoming.url}`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const resolved: string[] = [];
  const denied: string[] = [];
  const proxy = new EgressProxy(join(folder.path, "p.sock"), {
    // The server of the test is on this machine.
    policy: new NetworkPolicy({ allowHosts: [`allowed.example.com:${port}`] }),
    async resolveHost(hostname) {
      resolved.push(hostname);
      return [{ address: hostname === "inner.example.com" ? "10.0.0.1" : "127.0.0.1", family: 4 }];
    },
    hosts: () => hosts,
    denied: (host) => void denied.push(host),
  });
  await proxy.open();
  onTestFinished(() => proxy.close());
  const socketPath = proxy.path;
  const tunnel = (path: string) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const sent = request({ socketPath, method: "CONNECT", path });
      sent.on("error", reject);
      sent.on("connect", (response, socket) => {
        const status = response.statusCode ?? 0;
        let text = "";
        socket.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        socket.on("end", () => resolve({ status, text }));
        if (status === 200) socket.write("GET /t HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      });
      sent.end();
    });
  const get = (path: string) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const sent = request({ socketPath, path }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject);
      sent.end();
    });
  return { proxy, port, tunnel, get, resolved, denied };
}

describe("the proxy of workers", () => {
  it("[JOB-044] tunnels and forwards to allowed hosts, and resolves their names itself", async () => {
    const { port, tunnel, get } = await openProxy([]);
    const tunnelled = await tunnel(`allowed.example.com:${port}`);
    expect(tunnelled.status).toBe(200);
    expect(tunnelled.text).toContain("hello /t");
    expect(await get(`http://allowed.example.com:${port}/a?b`)).toEqual({
      ...{ status: 200, text: "hello /a?b" },
    });
  });

  it("[JOB-528] sends on what came together with the request for a tunnel", async () => {
    const { proxy, port } = await openProxy([]);
    const socket = connect(proxy.path);
    const received = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.on("end", () => resolve(text));
    });
    const opening = `CONNECT allowed.example.com:${port} HTTP/1.1\r\nHost: x\r\n\r\n`;
    socket.write(`${opening}GET /early HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await received).toContain("hello /early");
  });

  it("[JOB-044] denies other hosts without resolving them, and names them once", async () => {
    const { proxy, tunnel, get, resolved, denied } = await openProxy(["*.example.com"]);
    for (const target of ["evil.test:443", "evil.test:443", "secret.evil.test:443"]) {
      expect((await tunnel(target)).status).toBe(403);
    }
    expect(await get("http://evil.test/data")).toMatchObject({ status: 403 });
    expect(await get("ftp://a.example.com/x")).toMatchObject({ status: 403 });
    expect(resolved).toEqual([]);
    expect(denied).toEqual([
      ...["evil.test:443", "secret.evil.test:443", "evil.test", "a.example.com"],
    ]);
    expect(proxy.denied).toEqual(denied);
  });

  it("[JOB-044] denies addresses that are not public, other ports, and names of this machine", async () => {
    for (const hosts of [["*.example.com", "localhost"], undefined]) {
      const { tunnel } = await openProxy(hosts);
      for (const target of [
        ...["inner.example.com:443", "a.example.com:443", "a.example.com:22", "localhost:443"],
        ...["127.0.0.1:443", "169.254.169.254:80", "[::1]:443", "metadata.google.internal:443"],
        ...["", "user:pw@a.example.com:443", "a.example.com:443/../x"],
      ]) {
        expect((await tunnel(target || "/")).status, target).toBe(403);
      }
    }
  });

  it("[JOB-044] has a list that SANDBOX_EXTRA_DOMAINS extends", () => {
    expect(hostsOf("a.test, *.b.test\nnot/a/host x")).toEqual({
      ...{ hosts: ["a.test", "*.b.test"], invalid: ["not/a/host", "x"] },
    });
    expect(hostsOf(undefined)).toEqual({ hosts: [], invalid: [] });
    const hosts = [...DEFAULT_HOSTS, "*.b.test"];
    const allowed = ["registry.npmjs.org", "REGISTRY.npmjs.org.", "x.b.test", "y.readthedocs.io"];
    for (const host of allowed) expect(isAllowed(hosts, host), host).toBe(true);
    const others = ["b.test", "evilb.test", "npmjs.org", "registry.npmjs.org.evil.test", ""];
    for (const host of others) expect(isAllowed(hosts, host), host).toBe(false);
  });
});
