export enum Shift {
  Early = "early",
  Late = "late",
}

export type Day = "mon" | "tue";
