import type { GatewayMethodParameters } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { useLocation } from "wouter-preact";
import { FaultNote } from "../../components/fault-note.js";
import { Field, FormDialog } from "../../components/form-dialog.js";
import { call } from "../../state/link.js";
import { changeJobs, createJob, jobPage, jobs } from "./jobs.js";
import { text } from "./messages.js";

/** Asks for a job. */
export function NewJobDialog({ onClose }: { onClose(): void }) {
  const [, navigate] = useLocation();
  const title = useSignal("");
  const description = useSignal("");
  const sessionKey = useSignal("");
  const maxUsd = useSignal("");
  const create = async () => {
    const created = await createJob({
      title: title.value.trim(),
      ...(description.value.trim() === "" ? {} : { description: description.value.trim() }),
      ...(sessionKey.value.trim() === "" ? {} : { sessionKey: sessionKey.value.trim() }),
      ...(maxUsd.value.trim() === "" ? {} : { maxUsd: Number(maxUsd.value) }),
    });
    if (created === undefined) return;
    onClose();
    navigate(`/jobs/${encodeURIComponent(created.jobId)}`);
  };
  return (
    <FormDialog
      title={text.newTitle}
      help={text.newHelp}
      submit={text.create}
      isReady={title.value.trim() !== ""}
      onSubmit={create}
      onClose={onClose}
    >
      <Field label={text.titleField} value={title} maxLength={200} />
      <Field label={text.description} value={description} isLong maxLength={32_768} />
      <Field label={text.resultsTo} value={sessionKey} hint={text.resultsHint} />
      <Field label={text.maxUsd} value={maxUsd} isNumber />
      {jobs.fault.value !== undefined && <FaultNote fault={jobs.fault.value} />}
    </FormDialog>
  );
}

/** Gives a job that works a further prompt. */
export function PromptDialog({ jobId, onClose }: { jobId: string; onClose(): void }) {
  const prompt = useSignal("");
  const send = async () => {
    const asked = { jobId, text: prompt.value };
    if ((await changeJobs(() => call("jobs.prompt", asked))) !== undefined) onClose();
  };
  return (
    <FormDialog
      title={text.promptTitle}
      help={text.promptHelp}
      submit={text.send}
      isReady={prompt.value.trim() !== ""}
      onSubmit={send}
      onClose={onClose}
    >
      <Field label={text.task} value={prompt} isLong maxLength={32_768} />
      {jobPage.fault.value !== undefined && <FaultNote fault={jobPage.fault.value} />}
    </FormDialog>
  );
}

/** Gives a job that waits for it more budget. */
export function ContinueDialog({ jobId, onClose }: { jobId: string; onClose(): void }) {
  const tokens = useSignal("");
  const usd = useSignal("");
  const send = async () => {
    const more: GatewayMethodParameters<"jobs.continue"> = {
      jobId,
      ...(tokens.value.trim() === "" ? {} : { tokens: Number(tokens.value) }),
      ...(usd.value.trim() === "" ? {} : { usd: Number(usd.value) }),
    };
    if ((await changeJobs(() => call("jobs.continue", more))) !== undefined) onClose();
  };
  return (
    <FormDialog
      title={text.continueTitle}
      help={text.continueHelp}
      submit={text.continueNow}
      onSubmit={send}
      onClose={onClose}
    >
      <Field label={text.moreTokens} value={tokens} isNumber />
      <Field label={text.moreUsd} value={usd} isNumber />
      {[jobs, jobPage].map(
        ({ fault }, index) =>
          fault.value !== undefined && <FaultNote key={index} fault={fault.value} />,
      )}
    </FormDialog>
  );
}
