import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Outbound requests. */
export const NETWORK = mutantsOf("packages/safety", [
  {
    source: "network/pinned-agent.ts",
    noticedBy: ["network/proxy/pinned"],
    mutants: [
      [
        "proxies-are-given-names",
        "SAFE-221",
        "const host = isExempt ? name : await checkedAddress(name, policy, resolveHost);",
        "const host = name;",
      ],
      [
        "private-addresses-are-reached-by-proxy",
        "SAFE-221",
        "  policy.assertAddresses(hostname, addresses);\n  return",
        "  return",
      ],
    ],
  },
  {
    source: "network/proxy/rules.ts",
    noticedBy: ["network/proxy/rules"],
    mutants: [
      [
        "proxy-without-a-url-is-none",
        "SAFE-400",
        "return { variable, url: new URL(`unusable://${variable}`) };",
        "return undefined;",
      ],
      ["loopback-uses-proxies", "SAFE-220", "if (isAlwaysDirect(host)) return undefined;", ""],
    ],
  },
  {
    source: "network/policy.ts",
    noticedBy: ["network/policy", "network/pinned-agent"],
    mutants: [
      [
        "other-schemes-are-requested",
        "SAFE-050",
        'if (target.protocol !== "https:" && target.protocol !== "http:") {',
        "if (false) {",
      ],
      [
        "credentials-in-urls-are-sent",
        "SAFE-050",
        'if (target.username !== "" || target.password !== "") {',
        "if (false) {",
      ],
      [
        "passwords-in-urls-are-sent",
        "SAFE-050",
        'if (target.username !== "" || target.password !== "") {',
        'if (target.username !== "") {',
      ],
      ["plain-http-is-requested", "SAFE-050", 'if (target.protocol === "http:") {', "if (false) {"],
      [
        "private-literals-are-requested",
        "SAFE-050",
        "this.assertLiteral(target.hostname);\n    return target;",
        "return target;",
      ],
      [
        "names-of-this-machine-are-requested",
        "SAFE-050",
        "if (FORBIDDEN_NAMES.has(host) || host.endsWith(FORBIDDEN_SUFFIX)) {",
        "if (host.endsWith(FORBIDDEN_SUFFIX)) {",
      ],
      [
        "subdomains-of-localhost-are-requested",
        "SAFE-050",
        "if (FORBIDDEN_NAMES.has(host) || host.endsWith(FORBIDDEN_SUFFIX)) {",
        "if (FORBIDDEN_NAMES.has(host)) {",
      ],
      [
        "trailing-dot-hides-a-name",
        "SAFE-050",
        '.replace(/\\.$/, "").toLowerCase()',
        ".toLowerCase()",
      ],
      [
        "one-public-address-is-enough",
        "SAFE-050",
        'if (found === "public") continue;',
        'if (found === "public") return;',
      ],
      [
        "host-without-addresses-is-requested",
        "SAFE-050",
        "if (addresses.length === 0) {",
        "if (false) {",
      ],
      [
        "exemption-covers-every-port",
        "SAFE-050",
        "return this.exemptions.has(connectionKey(target));",
        "return [...this.exemptions].some((one) => one.startsWith(`${target.hostname}:`));",
      ],
      [
        "message-holds-the-query",
        "SAFE-050",
        "return origin + pathname;\n}",
        "return origin + pathname + String(arguments[0]);\n}",
      ],
    ],
  },
  {
    source: "network/pinned-agent.ts",
    noticedBy: ["network/pinned-agent", "network/client"],
    mutants: [
      [
        "addresses-are-not-checked",
        "SAFE-050",
        "policy.assertAddresses(\n      hostname,\n      addresses.map(({ address }) => address),\n    );",
        "",
      ],
      [
        "literal-is-not-checked-at-the-connection",
        "SAFE-050",
        "policy.assertLiteral(options.hostname);",
        "",
      ],
    ],
  },
  {
    source: "network/client.ts",
    noticedBy: ["network/client"],
    mutants: [
      [
        "redirects-are-unbounded",
        "SAFE-050",
        "if (redirects === MAX_REDIRECTS) {",
        "if (redirects === 2 * MAX_REDIRECTS) {",
      ],
      [
        "redirect-is-not-checked",
        "SAFE-050",
        "this.#policy.checkUrl(location, hop.url)",
        "new URL(location, hop.url)",
      ],
      [
        "first-url-is-not-checked",
        "SAFE-050",
        "this.#policy.checkUrl(input instanceof Request ? input.url : input)",
        "new URL(input instanceof Request ? input.url : input)",
      ],
      [
        "response-is-unbounded",
        "SAFE-050",
        "if (size <= MAX_RESPONSE_BYTES) controller.enqueue(chunk);",
        "if (true) controller.enqueue(chunk);",
      ],
      [
        "caller-does-not-see-redirects",
        "SAFE-050 SAFE-051",
        "const added = await beforeHop?.(hop);",
        "const added = redirects === 0 ? await beforeHop?.(hop) : undefined;",
      ],
      [
        "redirect-is-followed-against-the-request",
        "SAFE-050",
        'if (redirect === "error") {',
        "if (false) {",
      ],
    ],
  },
  {
    source: "network/redirect.ts",
    noticedBy: ["network/client"],
    mutants: [
      [
        "credentials-follow-a-redirect",
        "SAFE-050 SAFE-051",
        "if (hop.url.origin !== url.origin) {",
        "if (false) {",
      ],
    ],
  },
  {
    source: "network/http-request-scan.ts",
    noticedBy: ["network/http-request-scan"],
    mutants: [
      ["url-is-not-searched", "SAFE-049", '["url", url],', ""],
      [
        "headers-are-not-searched",
        "SAFE-049",
        "...pairs.map(([name, value]): [string, string] => [`header ${name}`, value]),",
        "",
      ],
      [
        "body-is-not-searched",
        "SAFE-049",
        '["body", typeof body === "string" ? body : new TextDecoder().decode(body)],',
        "",
      ],
      [
        "secret-in-a-request-passes",
        "SAFE-049",
        'blocked: findings.some(({ action }) => action === "block")',
        "blocked: false",
      ],
    ],
  },
]);
