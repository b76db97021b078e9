import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

interface ToolRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly output: string;
}

/** Runs a tool of the development packages and waits for its end. */
export function runTool(tool: string, args: readonly string[], folder: string = root): ToolRun {
  const done = spawnSync(join(root, 'node_modules', '.bin', tool), args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (done.error !== undefined) throw done.error;
  return { status: done.status, stdout: done.stdout, output: done.stdout + done.stderr };
}

/** What a workflow file must hold to: what it starts runs with the rights of the repository. */
const PINNED = /^\s*-? *uses: *[\w.-]+\/[\w./-]+@[a-f0-9]{40} # v\d/;

/** @returns a sentence for everything that is wrong with the file */
export function workflowProblems(text: string): readonly string[] {
  const lines = text.split('\n');
  const jobs = lines.slice(lines.indexOf('jobs:') + 1).filter((line) => /^ {2}[\w-]+:$/.test(line)).length;
  const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
  const problems = [
    ...lines
      .filter((line) => /\buses:/.test(line) && !PINNED.test(line))
      .map((line) => `is not pinned by its content: ${line.trim()}`),
    // A text that a stranger chooses would become a part of a command.
    ...lines
      .filter((line) => /\$\{\{[^}]*(github\.event\.|github\.head_ref|inputs\.)/.test(line))
      .map((line) => `takes a text from outside: ${line.trim()}`),
  ];
  if (!/^permissions:\n {2}contents: read\n(?! )/m.test(text)) problems.push('may do more than read');
  if (count(/\b(write|write-all)\s*$/) > 0) problems.push('may write');
  if (/pull_request_target|workflow_run/.test(text))
    problems.push('runs the code of strangers with the rights of the repository');
  if (/\bsecrets\./.test(text)) problems.push('is handed secrets');
  if (count(/uses: actions\/checkout@/) !== count(/persist-credentials: false/))
    problems.push('leaves credentials in the clone');
  if (count(/^ {4}timeout-minutes: \d+$/) !== jobs) problems.push('has a job without an end');
  return problems;
}
