const PLACES = 12;
const ONE_USD = 10n ** BigInt(PLACES);

/**
 * Returns an amount in millionths of a millionth of a US dollar; what is smaller is rounded up.
 * @param usd - US dollars as a decimal number, for example `0.000123`
 * @throws RangeError for another text
 */
export function picoUsd(usd: string): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(usd);
  if (match === null) throw new RangeError(`not an amount in US dollars: ${usd}`);
  const [, whole = "0", fraction = ""] = match;
  const digits = fraction.slice(0, PLACES).padEnd(PLACES, "0");
  const rest = /[1-9]/.test(fraction.slice(PLACES)) ? 1n : 0n;
  return BigInt(whole) * ONE_USD + BigInt(digits) + rest;
}

/**
 * Returns an amount for people: with two decimals, or as many as a small amount needs.
 * @param pico - millionths of a millionth of a US dollar
 */
export function shownUsd(pico: bigint): string {
  const usd = Number(pico) / Number(ONE_USD);
  if (usd === 0 || usd >= 0.01) return `$${usd.toFixed(2)}`;
  return `$${usd.toPrecision(2)}`;
}
