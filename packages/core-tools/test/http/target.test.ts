import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { fetch } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { CoreToolOptionsError, ToolRefusalError } from "../../src/errors.js";
import { HttpTargets, isPublicAddress, type ResolveHost } from "../../src/http/target.js";

function reasonOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return ToolRefusalError.isInstance(error) ? error.reason : String(error);
  }
}

/** Every refusal in the chain of causes of a failed request. */
async function refusalOfRequest(targets: HttpTargets, url: string): Promise<string | undefined> {
  const dispatcher = await targets.dispatcher();
  try {
    const response = await fetch(url, { dispatcher });
    await response.body?.cancel();
    return undefined;
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (ToolRefusalError.isInstance(cause)) return cause.reason;
    }
    return String(error);
  } finally {
    await dispatcher.destroy();
  }
}

async function serve(): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host}${request.url}`);
    response.end("reached");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

describe("addresses", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "4000::1",
    "not an address",
  ])("%s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"])(
    "%s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("URLs", () => {
  const targets = new HttpTargets();

  it.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://%31%32%37.0.0.1/",
    "https://１２７.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://0.0.0.0/",
    "https://0/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[fd00:ec2::254]/",
    "https://100.64.0.1/",
    "https://[fc00::1]/",
    "https://[fe80::1]/",
    "https://10.0.0.1:8443/",
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "https://user:secret@example.com/",
    "https://user@example.com/",
  ])("[SAFE-050] %s is refused", (url) => {
    expect(reasonOf(() => targets.check(url))).toBe("forbidden-address");
  });

  it("[SAFE-050] of a private address are refused in every notation it can be written in", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const address = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
    );
    const digits = fc.constantFrom(
      (value: number) => String(value),
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0${value.toString(8)}`,
      (value: number) => `0X00${value.toString(16).toUpperCase()}`,
    );
    const notation = fc.tuple(digits, digits, digits, digits, fc.integer({ min: 1, max: 4 }));
    fc.assert(
      fc.property(address, notation, ([a, b, c, d], [first, second, third, fourth, parts]) => {
        // The last part of a shorter notation stands for all the bytes that are left.
        const [host, mapped] = [
          [first(((a * 256 + b) * 256 + c) * 256 + d)],
          [first(a), second((b * 256 + c) * 256 + d)],
          [first(a), second(b), third(c * 256 + d)],
          [first(a), second(b), third(c), fourth(d)],
        ]
          .slice(parts - 1, parts)
          .flatMap((written) => [written.join("."), `[::ffff:${a}.${b}.${c}.${d}]`]);
        expect(reasonOf(() => targets.check(`https://${host}/`))).toBe("forbidden-address");
        expect(reasonOf(() => targets.check(`https://${mapped}/`))).toBe("forbidden-address");
      }),
      { numRuns: 500 },
    );
  });

  it.each(["", "example.com", "https://", "https://[::1", "https://256.256.256.256/"])(
    "%j is no URL",
    (url) => {
      expect(reasonOf(() => targets.check(url))).toBe("invalid-value");
    },
  );

  it("takes public https addresses and names, and judges redirects against their page", () => {
    expect(targets.check("https://example.com/a?b#c").href).toBe("https://example.com/a?b#c");
    expect(targets.check("https://1.1.1.1/").hostname).toBe("1.1.1.1");
    const page = targets.check("https://example.com/a/b");
    expect(targets.check("../c", page).href).toBe("https://example.com/c");
    expect(reasonOf(() => targets.check("//127.0.0.1/", page))).toBe("forbidden-address");
  });
});

describe("allowHosts", () => {
  it("[SAFE-050] lifts both bans for exactly that host and port", () => {
    const targets = new HttpTargets({
      allowHosts: ["127.0.0.1:8080", "[::1]:443", "Local.test:80"],
    });
    expect(targets.check("http://127.0.0.1:8080/x").port).toBe("8080");
    expect(targets.check("http://2130706433:8080/").hostname).toBe("127.0.0.1");
    expect(targets.check("https://[0:0:0:0:0:0:0:1]/").hostname).toBe("[::1]");
    expect(targets.check("http://local.test/").hostname).toBe("local.test");
    for (const url of ["http://127.0.0.1:8081/", "http://127.0.0.1/", "http://local.test:81/"]) {
      expect(reasonOf(() => targets.check(url))).toBe("forbidden-address");
    }
    expect(reasonOf(() => targets.check("https://[::1]:8443/"))).toBe("forbidden-address");
  });

  it.each(["127.0.0.1", "http://127.0.0.1:80", "a:b", ":80", "host:80/x", "u@host:80", "h:99999"])(
    "names the entry %j as wrong",
    (entry) => {
      expect(() => new HttpTargets({ allowHosts: [entry] })).toThrow(
        expect.objectContaining({ code: CoreToolOptionsError.code, option: "allowHosts" }),
      );
    },
  );
});

describe("connections", () => {
  const resolvingTo =
    (...addresses: string[]): ResolveHost =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback in v6", ["::1"]],
    ["loopback mapped into v6", ["::ffff:127.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
    ["shared address space", ["100.64.0.1"]],
    ["a public and a private address", ["93.184.216.34", "10.0.0.1"]],
    ["nothing", []],
  ])("[SAFE-050] are refused when a name resolves to %s", async (_case, addresses) => {
    const { port, requests } = await serve();
    const targets = new HttpTargets({ resolveHost: resolvingTo(...addresses) });
    expect(await refusalOfRequest(targets, `http://rebound.example:${port}/`)).toBe(
      "forbidden-address",
    );
    expect(requests).toEqual([]);
  });

  it("are refused for a literal address that never passed the check of the URL", async () => {
    const { port, requests } = await serve();
    const targets = new HttpTargets();
    for (const host of ["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]"]) {
      expect(await refusalOfRequest(targets, `http://${host}:${port}/`)).toBe("forbidden-address");
    }
    expect(requests).toEqual([]);
  });

  it("are refused for localhost, by the system's own resolver", async () => {
    const { port, requests } = await serve();
    expect(await refusalOfRequest(new HttpTargets(), `http://localhost:${port}/`)).toBe(
      "forbidden-address",
    );
    expect(requests).toEqual([]);
  });

  it("[SAFE-050] go to the address that was checked, resolved once, under the name that was asked for", async () => {
    const { port, requests } = await serve();
    const asked: string[] = [];
    const targets = new HttpTargets({
      allowHosts: [`service.example:${port}`],
      resolveHost: async (hostname) => {
        asked.push(hostname);
        // A second answer would lead to a closed port.
        return [{ address: asked.length === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
      },
    });
    expect(await refusalOfRequest(targets, `http://service.example:${port}/a`)).toBeUndefined();
    expect(requests).toEqual([`service.example:${port}/a`]);
    expect(asked).toEqual(["service.example"]);
  });
});
