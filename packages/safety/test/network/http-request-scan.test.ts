import { describe, expect, it } from "vitest";
import { scanHttpRequest } from "../../src/index.js";

const KEY = "AKIAIOSFODNN7EXAMPLE";

describe("scanHttpRequest", () => {
  it("[SAFE-049] scans the URL as written and decoded, every header value and the body", () => {
    const url = "https://api.example.com/";
    const parts = [
      scanHttpRequest({ url: `${url}?k=${KEY}` }),
      scanHttpRequest({ url: `${url}?k=AKIA%49OSFODNN7EXAMPLE` }),
      scanHttpRequest({ url, headers: { "X-A": "a", "X-B": KEY } }),
      scanHttpRequest({ url, headers: [["X-C", KEY]] }),
      scanHttpRequest({ url, body: `{"k":"${KEY}"}` }),
      scanHttpRequest({ url, body: Buffer.from(`ff${KEY}`, "latin1").fill(0xff, 0, 2) }),
    ];
    for (const { blocked } of parts) expect(blocked).toBe(true);
    expect(parts.map(({ findings }) => findings[0]?.part)).toEqual([
      "url",
      "url",
      "header X-B",
      "header X-C",
      "body",
      "body",
    ]);
  });

  it("[SAFE-049] allows an authorization header", () => {
    const scan = scanHttpRequest({
      url: "https://api.example.com/",
      headers: { Authorization: `Bearer ${"a".repeat(30)}` },
    });
    expect(scan.blocked).toBe(false);
    expect(scan.findings).toMatchObject([{ rule: "bearer_token", action: "redact" }]);
    expect(scanHttpRequest({ url: "https://api.example.com/" })).toEqual({
      blocked: false,
      findings: [],
    });
  });
});
