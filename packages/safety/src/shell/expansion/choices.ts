import type { Case, For, Statement } from "unbash";
import { NotExpandable } from "./expanded-command.js";
import { isDivided, isLate } from "./late-words.js";
import { patternOf } from "./patterns.js";
import { fieldsOf, patternPieces, textOf, type WordMeans } from "./words.js";

/**
 * Returns the statements of the first branch of `case` whose pattern matches; undefined when none does.
 * @param node - as parsed by the grammar
 * @param means - variables and files
 * @throws NotExpandable when a branch continues in the next one, or the word is known late
 */
export async function chosenCase(
  { word: given, items }: Pick<Case, "word" | "items">,
  means: WordMeans,
): Promise<readonly Statement[] | undefined> {
  const value = await textOf(given, means);
  if (isLate(value)) throw new NotExpandable("a late word");
  for (const { pattern, body, terminator } of items) {
    if (terminator !== undefined && terminator !== ";;") throw new NotExpandable(terminator);
    for (const word of pattern) {
      if (patternOf(await patternPieces(word, means))(value)) return body.commands;
    }
  }
  return undefined;
}

/**
 * Returns the values of a `for` loop.
 * @param node - as parsed by the grammar
 * @param means - variables and files
 * @throws NotExpandable when it loops over arguments, or over words that are known late
 */
export async function loopValues(
  { wordlist }: Pick<For, "wordlist">,
  means: WordMeans,
): Promise<readonly string[]> {
  if (wordlist === undefined) throw new NotExpandable("arguments");
  const values: string[] = [];
  for (const word of wordlist) values.push(...(await fieldsOf(word, means)));
  if (values.some(isDivided)) throw new NotExpandable("late words");
  return values;
}
