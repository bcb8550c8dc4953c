/**
 * Quality of the search and of the search before a turn, with the held-back queries that nothing was tuned with. Only a run of
 * this file reads them.
 */
import { measure } from "./questions/measure.mjs";
import { openQuestionMemory, rowsOf } from "./questions/memory.mjs";

const { memory, close } = await openQuestionMemory();
await measure(memory, rowsOf("held-back"));
await close();
