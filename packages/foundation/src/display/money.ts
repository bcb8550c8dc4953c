/*
 * Amounts of money are whole numbers of picodollars, a millionth of a millionth of a US dollar. A price of one
 * dollar per million tokens is 1,000,000 of them per token, so that the cost of a call is exact, and so are sums.
 */

/** Number of decimals of an amount. */
const DECIMALS = 12;

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** Longest integer part that is read; more money than there is. */
const MOST_DIGITS = 15;

/**
 * Parses an amount of US dollars.
 * @param text - decimal number without a sign, such as `2.50`
 * @returns picodollars; undefined when it is not a decimal number or has more than 12 decimals
 */
export function parseUsd(text: string): bigint | undefined {
  const [, whole = "", fraction = ""] = DECIMAL.exec(text) ?? [];
  if (whole === "" || whole.length > MOST_DIGITS || fraction.length > DECIMALS) return undefined;
  return BigInt(whole + fraction.padEnd(DECIMALS, "0"));
}

/**
 * Returns picodollars of a number of US dollars, as a configuration file has it.
 * @param dollars - amount, at least 0; rounded to 12 decimals
 */
export function usdOfNumber(dollars: number): bigint {
  const [whole = "0", fraction = ""] = dollars.toFixed(DECIMALS).split(".");
  return BigInt(whole + fraction);
}

/**
 * Returns an amount as a decimal number of US dollars, exact and without trailing zeros.
 * @param amount - picodollars
 */
export function usdText(amount: bigint): string {
  const digits = amount.toString().padStart(DECIMALS + 1, "0");
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, "");
  const whole = digits.slice(0, -DECIMALS);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/**
 * Returns an amount for people: cents, or as many decimals as a smaller amount needs.
 * @param amount - picodollars
 */
export function displayUsd(amount: bigint): string {
  if (amount === 0n) return "$0.00";
  const cent = 10n ** 10n;
  for (const decimals of [2n, 4n, 6n]) {
    const unit = 10n ** (12n - decimals);
    const rounded = (amount + unit / 2n) / unit;
    if (amount < cent && rounded < 10n && decimals < 6n) continue;
    if (rounded === 0n) continue;
    const text = rounded.toString().padStart(Number(decimals) + 1, "0");
    return `$${text.slice(0, -Number(decimals))}.${text.slice(-Number(decimals))}`;
  }
  return "less than $0.000001";
}
