import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasLuhnDigit } from "../../src/sensitive-data/card.js";
import { SensitiveDataDetector } from "../../src/sensitive-data/detector.js";
import { sensitiveDataRedactor } from "../../src/sensitive-data/guard.js";
import { KINDS, REPLACEMENTS } from "../../src/sensitive-data/kind.js";
import { PhoneNumbers } from "../../src/sensitive-data/phone.js";
import { documentedQuality } from "../support/documented-quality.js";
import { hostRuntime } from "../support/host-runtime.js";
import { installGuard } from "../support/installed-guard.js";
import { labelledCases, qualityOf } from "../support/labelled-cases.js";

interface SensitiveCase {
  readonly id: string;
  readonly kind: string | null;
  readonly text: string;
  readonly sensitive: readonly string[];
}

const cases = labelledCases<SensitiveCase>("sensitive-data");
const ALL = new Set(KINDS);
const CARD = "4111 1111 1111 1111";
const IBAN = "DE89 3704 0044 0532 0130 00";

async function cleaner(): Promise<(text: string) => string> {
  const { safety } = await hostRuntime();
  const detector = new SensitiveDataDetector({
    findSecrets: (text) => safety.findSecrets(text),
    phones: new PhoneNumbers(["US"]),
  });
  return (text) => detector.redact(text, ALL).text;
}

describe("sensitive_data_redactor", () => {
  it("[DHOOK-045] has the documented precision and recall on the labelled cases", async () => {
    const clean = await cleaner();
    const isPositive = ({ kind }: SensitiveCase) => kind !== null;
    expect(cases.filter(isPositive)).toHaveLength(50);
    expect(cases).toHaveLength(100);
    const quality = qualityOf(cases, isPositive, ({ kind, text, sensitive }) =>
      kind === null ? clean(text) !== text : sensitive.every((part) => !clean(text).includes(part)),
    );
    expect(quality).toEqual({
      precision: 1,
      recall: 46 / 50,
      missed: ["pos-20", "pos-33", "pos-36", "pos-37"],
      false: [],
    });
    expect(documentedQuality("sensitive_data_redactor")).toEqual(["100 %", "92 %"]);
  });

  it.each([
    ["4222222222222", 13],
    ["4222 2222 22222", 13],
    ["5018000000007", 13],
    ["30569309025904", 14],
    ["371449635398431", 15],
    ["4111-1111-1111-1111", 16],
    ["62000000000000000", 17],
    ["355000000000000008", 18],
    ["4000000000000000006", 19],
    ["4000 0000 0000 0000 006", 19],
    ["6011000000000000001", 19],
  ])("[DHOOK-038] finds the card number %s of %i digits", async (number, length) => {
    const clean = await cleaner();
    expect(number.replaceAll(/\D/g, "")).toHaveLength(length);
    expect(clean(`pay ${number} now`)).toBe("pay [REDACTED_CARD] now");
    const other = `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
    expect(clean(`pay ${other} now`)).not.toContain("CARD");
  });

  it("[DHOOK-038] finds secrets, email addresses, phone numbers, cards and accounts with their check digits", async () => {
    const clean = await cleaner();
    expect(clean("AKIAIOSFODNN7EXAMPLE")).toBe("[REDACTED]");
    expect(clean("write to ana@example.com")).toBe("write to [REDACTED_EMAIL]");
    expect(clean("call +44 20 7946 0958")).toBe("call [REDACTED_PHONE]");
    expect(clean(`pay ${CARD}`)).toBe("pay [REDACTED_CARD]");
    expect(clean(`pay ${CARD.slice(0, -1)}2`)).toBe(`pay ${CARD.slice(0, -1)}2`);
    expect(clean(`to ${IBAN}`)).toBe("to [REDACTED_IBAN]");
    expect(clean(`to ${IBAN.slice(0, -1)}1`)).toBe(`to ${IBAN.slice(0, -1)}1`);
  });

  it("takes no number for a phone number because of the label or the number next to it", async () => {
    const detector = new SensitiveDataDetector({
      findSecrets: () => [],
      phones: new PhoneNumbers(["DE"]),
    });
    const clean = (text: string) => detector.redact(text, ALL).text;
    expect(clean("Call 030 901820 on 2026-11-23")).toBe("Call [REDACTED_PHONE] on 2026-11-23");
    expect(clean("Room 12 650 or +1 650 253 0000")).toBe("Room 12 650 or [REDACTED_PHONE]");
  });

  it("[DHOOK-038] finds every card number that has a check digit, and none that has not", async () => {
    const clean = await cleaner();
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 15, maxLength: 15 });
    fc.assert(
      fc.property(digits, fc.constantFrom("", " ", "-"), (rest, separator) => {
        const number = `4${rest.join("")}`;
        const text = `no. ${number.match(/.{4}/g)?.join(separator)} is it`;
        expect(clean(text).includes(REPLACEMENTS.card)).toBe(hasLuhnDigit(number));
      }),
    );
  });

  it("changes nothing the second time", async () => {
    const clean = await cleaner();
    const part = fc.oneof(
      fc.constantFrom(
        CARD,
        IBAN,
        "ana@example.com",
        "+44 20 7946 0958",
        "AKIAIOSFODNN7EXAMPLE",
        " ",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const once = clean(parts.join(" "));
        expect(clean(once)).toBe(once);
      }),
    );
  });

  it("[DHOOK-038] redacts, blocks or ignores each kind, in replies and in parameters of tools", async () => {
    const guard = await installGuard(sensitiveDataRedactor, {
      email: "block",
      phone: "off",
      card: { tools: "redact" },
    });
    expect(await guard.fire("message_sending", { content: `pay ${CARD}` })).toEqual({
      content: "pay [REDACTED_CARD]",
    });
    expect(await guard.fire("message_sending", { content: "+44 20 7946 0958" })).toBeUndefined();
    expect(await guard.fire("message_sending", { content: "ana@example.com" })).toEqual({
      cancel: true,
      cancelReason: "sensitive_data_redactor: the message contains an email address",
    });
    expect(await guard.fire("transform_response", { content: `to ${IBAN}` })).toEqual({
      content: "to [REDACTED_IBAN]",
    });
    expect(await guard.fire("transform_response", { content: "ana@example.com" })).toEqual({
      content: "[The reply was removed because it contains an email address.]",
    });
    expect(
      await guard.fire("before_tool_call", { params: { a: { b: [`x ${CARD}`, 4] } } }),
    ).toEqual({
      params: { a: { b: ["x [REDACTED_CARD]", 4] } },
    });
    expect(
      await guard.fire("before_tool_call", { params: { key: "AKIAIOSFODNN7EXAMPLE" } }),
    ).toEqual({
      block: true,
      blockReason:
        "sensitive_data_redactor: the parameters contain a secret; leave it out, or use a reference to a stored secret",
    });
    expect(await guard.fire("before_tool_call", { params: { command: "ls" } })).toBeUndefined();
    expect(guard.counts).toEqual({ seen: 8, changed: 3, blocked: 3, failed: 0 });
  });

  it("blocks parameters that are nested too deeply to be searched", async () => {
    const guard = await installGuard(sensitiveDataRedactor);
    let nested: Record<string, unknown> = { key: "x" };
    for (let depth = 0; depth < 100; depth += 1) nested = { nested };
    expect(await guard.fire("before_tool_call", { params: nested })).toMatchObject({ block: true });
  });

  it("rejects a country without a numbering plan", () => {
    const configure = sensitiveDataRedactor.configure({ phoneCountries: ["XX"] });
    expect(() => configure({} as never)).toThrow(/phoneCountries has XX.*correct plugins\.entries/);
  });
});
