/** Checks of an installation; the application that starts the gateway implements them. */
export interface Doctor {
  /** Runs the checks. */
  examine(): Promise<readonly DoctorFinding[]>;
}

/** Result of one check. */
export interface DoctorFinding {
  /** Name of the check, stable for scripts. */
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
  /** Way to fix the problem. */
  readonly hint?: string | undefined;
  /** Change that fixes the problem; absent when a person has to decide. */
  readonly repair?: DoctorRepair | undefined;
}

/** Change that fixes the problem of a finding. */
export interface DoctorRepair {
  /** Identifies the change among those of all findings, also in the next examination. */
  readonly id: string;
  /** Description of the change, for example `chmod 600 <file>`. */
  readonly description: string;
  /** Makes the change. */
  apply(): void;
}
