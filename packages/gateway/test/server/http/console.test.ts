import { brotliCompressSync } from "node:zlib";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { callsOf, createTestHost, serve, testAccess } from "../../support/host.js";

const VIEWS = ["/", "/approvals", "/approvals/*"];
const BROWSER = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };
const SCRIPT = "console.log(1);";

async function site(files: Record<string, string>, consoleNotice?: string) {
  const folder = temporaryFolder();
  folder.write(files);
  const host = await createTestHost();
  const source = {
    definitions: {},
    definition: () => undefined,
    dispatch: async (name: string) => ({ called: name }),
  };
  const served = await serve(host, {
    access: testAccess(),
    calls: callsOf(async () => source, host),
    ...(consoleNotice === undefined
      ? { console: { folder: folder.path, views: VIEWS } }
      : { consoleNotice }),
  });
  return {
    folder,
    get: (path: string, headers: Record<string, string> = BROWSER) =>
      fetch(served.url + path, { headers }),
  };
}

const FILES = {
  "index.html": "<!doctype html><title>page of the console</title>",
  "index-AbCd1234.js": SCRIPT,
  "icon.svg": "<svg/>",
  "secret.env": "no file of the console",
};

describe("the web console", () => {
  it("[UI-451] is served at the paths of its views, and only to requests for a page", async () => {
    const { get } = await site(FILES);
    for (const path of ["/", "/approvals", "/approvals/apr_1", "/approvals?outcome=denied"]) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expect(await response.text()).toContain("page of the console");
    }
    for (const path of ["/approvals", "/approvals/apr_1"]) {
      const response = await get(path, { accept: "application/json" });
      expect(response.status, path).toBe(401);
      expect(response.headers.get("vary")).toContain("Accept");
    }
    for (const path of ["/other", "/v1/other", "/api/v1/other", "/console/other.js"]) {
      const response = await get(path);
      expect(response.status, path).toBe(401);
      expect(await response.text(), path).not.toContain("page of the console");
    }
  });

  it("[UI-036] has a policy that runs scripts of the gateway only, and requires trusted types", async () => {
    const { get } = await site(FILES);
    const { headers } = await get("/");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; media-src blob:; frame-src 'self'; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
    );
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("[UI-040] caches files with a digest in their name for a year, and the page not at all", async () => {
    const { get, folder } = await site(FILES);
    const { headers } = await get("/");
    expect(headers.get("cache-control")).toBe("no-cache");
    const again = await get("/", { ...BROWSER, "if-none-match": headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
    const script = await get("/console/index-AbCd1234.js");
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(script.headers.get("content-type")).toContain("text/javascript");
    expect(await script.text()).toBe(SCRIPT);
    const icon = await get("/console/icon.svg");
    expect(icon.headers.get("cache-control")).toBe("no-cache");
    folder[Symbol.dispose]();
  });

  it("[UI-040] sends the compressed form of a file that the build stored, if the client accepts it", async () => {
    const folder = temporaryFolder();
    folder.write(FILES);
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${folder.path}/index-AbCd1234.js.br`, brotliCompressSync(SCRIPT));
    const host = await createTestHost();
    const served = await serve(host, {
      access: testAccess(),
      console: { folder: folder.path, views: VIEWS },
    });
    const of = async (encoding: string) => {
      const url = `${served.url}/console/index-AbCd1234.js`;
      const response = await fetch(url, { headers: { "accept-encoding": encoding } });
      return [response.headers.get("content-encoding"), await response.text()];
    };
    expect(await of("gzip, br")).toEqual(["br", SCRIPT]);
    expect(await of("gzip, br;q=0")).toEqual([null, SCRIPT]);
    folder[Symbol.dispose]();
  });

  it("[UI-451] serves no file that is not part of it", async () => {
    const { get } = await site(FILES);
    for (const name of ["secret.env", "index.html", "..%2Fsecret.env", "%2e%2e/secret.env"]) {
      const response = await get(`/console/${name}`);
      expect(response.status, name).not.toBe(200);
    }
  });

  it("[UI-450] is replaced by a page that says why, when it is not built or switched off", async () => {
    const unbuilt = await site({});
    expect(await (await unbuilt.get("/")).text()).toContain("The web console is not built.");
    expect((await unbuilt.get("/approvals")).status).toBe(401);
    const off = await site({}, "The web console is switched off.");
    expect(await (await off.get("/")).text()).toContain("The web console is switched off.");
  });
});
