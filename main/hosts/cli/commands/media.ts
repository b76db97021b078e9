import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { UploadHost } from '../../../../shared/api/accounts.ts';
import type { AddedFile } from '../../../../shared/api/files.ts';
import { statusName } from '../../../../shared/lifecycle/states.ts';
import {
  captionFaults,
  type ParsedCaptions,
  parseCaptions,
  printCaptions,
  READING_SPEEDS,
  type ReadingSpeed,
  shiftCaptions,
} from '../../../../shared/media/captions.ts';
import { fileRefusal, fileRefusalText } from '../../../../shared/media/file-refusal.ts';
import { type CaptionProblem, isServiceMedia, readMediaFacts } from '../../../../shared/model/media.ts';
import type { Row } from '../../../../shared/model/row.ts';
import { lineText } from '../../../../shared/model/text.ts';
import { nullIfNotFound, writeFileAtomic } from '../../../app/atomic-write.ts';
import { NO_OBSERVER } from '../../../app/long-task.ts';
import { captionFacts, decodeText } from '../../../files/probe/probe-file.ts';
import { createProber } from '../../../files/probe/prober.ts';
import { CliError, EXIT_CODE, refused, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { readNamedFile, unreadableFile, writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';
import { readIssues, SEVERITY_WORDS } from './check.ts';

const mediaAdd: Command = {
  name: 'media add',
  takes: 'FILE_OR_FOLDER...',
  purpose: 'Checks media files, and adds those that pass to the media library.',
  parameters: {
    FILE_OR_FOLDER: 'Videos (.mp4, .mov), captions (.srt, .vtt), PNG logos, or folders with them.',
  },
  example: 'adslate media add examples/media',
  positionals: [1, 200],
  run: async (context) => {
    const { grants } = await context.core();
    const { client, workspaceId } = await context.atAccount();
    const given: string[] = [];
    const unreadable: AddedFile[] = [];
    const { files, skipped } = await withoutFolders(context.positionals);
    for (const path of files) {
      const file = await grants.grantPath(path);
      if (file.ok) given.push(file.value.grant);
      else unreadable.push({ outcome: 'refused', ...file.error.data });
    }
    const added = given.length === 0 ? [] : (await client.media.add({ workspaceId, grants: given })).files;
    return report(context, client, [...added, ...unreadable], skipped);
  },
};

const MEDIA_NAME = /\.(mp4|mov|srt|vtt|png)$/i;
const MOST_FILES = 200;

/**
 * Replaces a folder by the media files in it and below; its other files, such as archives, are skipped. Any other path
 * is kept, whatever its name.
 */
async function withoutFolders(
  paths: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly skipped: readonly string[] }> {
  const files: string[] = [];
  const skipped: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(nullIfNotFound); // a missing file is reported when it is granted
    if (found === null || !found.isDirectory()) {
      files.push(path);
      continue;
    }
    const inside = await readdir(path, { recursive: true, withFileTypes: true });
    const media = inside.filter((entry) => entry.isFile() && MEDIA_NAME.test(entry.name));
    if (media.length === 0)
      throw usageError(`${path} contains no videos, captions or PNG images. Choose another folder.`);
    const others = inside.filter((entry) => entry.isFile() && !MEDIA_NAME.test(entry.name));
    skipped.push(...others.map((entry) => join(entry.parentPath, entry.name)).sort());
    files.push(...media.map((entry) => join(entry.parentPath, entry.name)).sort());
  }
  if (files.length > MOST_FILES)
    throw usageError(`${files.length} files are too many. Add up to ${MOST_FILES} at a time.`);
  return { files, skipped };
}

async function report(context: Context, client: Client, files: readonly AddedFile[], skipped: readonly string[]) {
  const { output } = context;
  const ids = new Set(files.flatMap((file) => (file.outcome === 'added' ? [file.mediaId] : [])));
  const workspaceId = await context.workspaceId();
  // Only problems of the files just added; `check` reports the others.
  const all = ids.size === 0 ? [] : (await readIssues(client, workspaceId)).issues;
  const issues = all.filter((issue) => issue.kind === 'media' && ids.has(issue.id));
  const shown = files.map((file) =>
    file.outcome === 'added'
      ? { file: file.fileName, outcome: 'added', mediaId: file.mediaId, mediaType: file.mediaType, known: file.known }
      : {
          file: file.fileName,
          outcome: 'refused',
          reason: file.reason,
          message: fileRefusalText(file.fileName, file.reason, file.params),
        },
  );
  for (const file of shown) {
    if (file.outcome === 'refused') output.say(file.message ?? '');
    else
      output.say(
        `${file.file}: ${file.known === true ? 'already in the media library' : `added as ${file.mediaType}`}.`,
      );
  }
  output.say(skipped.map((path) => `${path}: skipped, not a video, captions or PNG file.`));
  output.say(issues.map(({ severity, message }) => `${SEVERITY_WORDS[severity]}: ${message}`));
  output.result({
    files: shown,
    skipped,
    // Published under the same key as by `check`.
    findings: issues.map(({ rule, severity, field, message }) => ({ rule, severity, field, message })),
  });
  const hasErrors = issues.some((issue) => issue.severity === 'error');
  return hasErrors || files.some((file) => file.outcome === 'refused') ? EXIT_CODE.refused : EXIT_CODE.done;
}

const mediaList: Command = {
  name: 'media list',
  purpose: 'Lists the media library, with the videos that are already on the service.',
  example: 'adslate media list',
  run: async (context) => {
    const { workspace } = await context.account();
    const rows = await workspace.readMedia();
    const media = rows.map((row) => ({
      id: row.id,
      file: row.values.fileName,
      mediaType: row.values.mediaType,
      mediaName: row.values.mediaName,
      bytes: row.values.bytes,
      state: row.values.mediaState,
      mediaId: row.remoteId,
      source: isServiceMedia(row) ? 'service' : 'local',
      durationMs: lengthOf(row),
      reason: row.values.stateReason,
      caption: rows.find((other) => other.id === row.values.caption)?.values.fileName ?? null,
    }));
    context.output.table(
      ['File', 'Media name', 'Media ID', 'Source', 'Type', 'Details', 'Status', 'Captions'],
      rows.map((row, at) => [
        row.values.fileName ?? '',
        row.values.mediaName ?? '',
        row.remoteId ?? '',
        media[at]?.source ?? '',
        row.values.mediaType ?? '',
        row.values.facts === null ? secondsText(lengthOf(row)) : factsText(row.values.facts),
        row.values.mediaState === null ? '' : statusName(row.values.mediaState),
        media[at]?.caption ?? '',
      ]),
      'The media library is empty. Run "adslate media add FILE" to add files.',
    );
    // A sentence does not fit into a table.
    for (const { file, reason } of media) if (reason !== null) context.output.say(`"${file}": ${reason}`);
    context.output.result({ media });
  },
};

function lengthOf({ values: { facts, durationMs } }: Row<'media'>): number | null {
  const probed = readMediaFacts(facts);
  return probed?.is === 'video' ? probed.durationMs : durationMs;
}

const secondsText = (ms: number | null): string => (ms === null ? '' : `${(ms / 1000).toFixed(1)} s`);

const UNKNOWN_KIND = 'The media library contains a file of an unknown type. Update Adslate, then try again.';

function factsText(json: string): string {
  const facts = readMediaFacts(json);
  switch (facts?.is) {
    case 'video':
      return `${facts.durationMs === null ? '?' : (facts.durationMs / 1000).toFixed(1)} s, ${facts.width ?? '?'}x${facts.height ?? '?'}, ${facts.videoCodec ?? '?'}`;
    case 'caption':
      return `${counted(facts.cues, 'cue')}, ${facts.format}`;
    case 'logo':
    case 'poster':
      return `${facts.width}x${facts.height}`;
    default:
      throw new CliError(EXIT_CODE.workspace, 'DAMAGED', UNKNOWN_KIND);
  }
}

const ACTS = ['allow', 'block', 'reset'] as const;
const HOST_STATES = { asked: 'undecided', allowed: 'allowed', refused: 'blocked' } as const;

const mediaHosts: Command = {
  name: 'media hosts',
  takes: '[allow|block|reset HOST]',
  purpose: 'Lists upload hosts that need your decision, or decides about one.',
  parameters: {
    allow: 'Allows uploads to this host, for this account.',
    block: 'Blocks uploads to this host, for this account.',
    reset: 'Deletes your decision. The next upload asks again.',
    HOST: 'Host that receives files, as listed.',
  },
  example: 'adslate media hosts allow uploads.example.com',
  positionals: [0, 2],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const [named, host] = context.positionals;
    if (named === undefined) return show(context, await client.uploadHosts.list({ workspaceId }));
    const act = ACTS.find((one) => one === named);
    if (act === undefined || host === undefined) throw usageError('Run "adslate media hosts allow|block|reset HOST".');
    const hosts =
      act === 'reset'
        ? await client.uploadHosts.reset({ workspaceId, host })
        : await client.uploadHosts.set({ workspaceId, host, allow: act === 'allow' });
    return show(context, hosts);
  },
};

function show({ output }: Context, hosts: readonly UploadHost[]) {
  for (const { host, shown, state, files } of hosts) {
    const name = host === shown ? host : `${host} (${shown})`;
    const what = files.map((file) => `${file.name} (${counted(file.bytes, 'byte')})`).join(', ');
    output.say(`${name}  ${HOST_STATES[state]}  ${what}`);
  }
  if (hosts.length === 0) output.say('No upload host needs your decision.');
  output.result({ hosts: hosts.map((one) => ({ ...one, state: HOST_STATES[one.state] })) });
  return hosts.some(({ state }) => state === 'asked') ? EXIT_CODE.needsUser : EXIT_CODE.done;
}

const mediaTrim: Command = {
  name: 'media trim',
  takes: 'FILE --to SECONDS --out FILE',
  purpose: 'Copies a part of a video to a new file, without encoding it again.',
  parameters: {
    FILE: 'Video (.mp4, .mov). It is not changed.',
    '--from SECONDS': 'Where the part begins: at the last key frame up to there. Default: 0.',
    '--to SECONDS': 'Where the part ends at the latest.',
    '--out FILE': 'File to write.',
    '--force': 'Replaces an existing file.',
  },
  example: 'adslate media trim spot.mp4 --to 45 --out spot-45.mp4',
  positionals: [1, 1],
  run: async (context) => {
    const [path = ''] = context.positionals;
    const out = context.need('out');
    const fromMs = millisecondsOf('--from', context.text('from') ?? '0');
    const toMs = millisecondsOf('--to', context.need('to'));
    const prober = createProber();
    try {
      const facts = await prober.probe(resolve(path));
      if (!facts.ok) throw unreadableFile(path, facts.error);
      if (facts.value.is !== 'video') throw unreadableFile(path, fileRefusal('no-picture-track'));
      const { container } = facts.value;
      const trimmed = await writeOutputFile(context, resolve(out), (target) =>
        prober.trim({ path: resolve(path), target, container, fromMs, toMs }, NO_OBSERVER),
      );
      if (!trimmed.ok) throw unreadableFile(path, trimmed.error);
      const { fromMs: from, lengthMs } = trimmed.value;
      const [start, length] = [from, lengthMs].map((ms) => (ms / 1000).toFixed(2));
      context.output.say(`Wrote ${length} s to ${out}, from the key frame at ${start} s of ${path}.`);
      context.output.result({ file: out, fromMs: from, lengthMs });
    } finally {
      await prober.close();
    }
  },
};

function millisecondsOf(option: string, text: string): number {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text)) throw usageError(`${option} must be a number of seconds, such as 4.5.`);
  return Math.round(Number(text) * 1000);
}

const LINE_TEXTS: Readonly<Record<CaptionProblem['code'], string>> = {
  'no-timing': 'no times',
  'bad-time': 'an invalid time',
  'end-before-start': 'an end before its start',
  'out-of-order': 'a start before the previous one',
  empty: 'no text',
};
const CAPTIONS_MAX_BYTES = 1024 * 1024;
const SPEEDS = Object.keys(READING_SPEEDS) as ReadingSpeed[];

const mediaCaptions: Command = {
  name: 'media captions',
  takes: 'check|convert FILE',
  purpose: 'Checks the times and reading speed of captions, or converts them.',
  parameters: {
    check: 'Lists what is wrong. The file is not changed.',
    convert: 'Writes the captions to the file of --out, as SRT or WebVTT by its name.',
    FILE: 'Captions (.srt, .vtt).',
    '--speed NAME': `Most characters per second: ${SPEEDS.map((name) => `${name} ${READING_SPEEDS[name]}`).join(', ')} (default: standard).`,
    '--shift SECONDS': 'With convert: moves all captions later, or earlier with --shift=-SECONDS.',
    '--out FILE': 'With convert: file to write.',
    '--force': 'Replaces an existing file.',
  },
  example: 'adslate media captions check examples/media/garden-hose-spot.srt',
  positionals: [2, 2],
  run: async (context) => {
    const [act = '', path = ''] = context.positionals;
    const bytes = await readNamedFile(path, CAPTIONS_MAX_BYTES);
    if (!bytes.ok) throw refused('BAD_FILE', `Can't read ${path}: ${bytes.error.why}.`);
    const facts = captionFacts(bytes.value);
    const text = decodeText(bytes.value);
    if (!facts.ok || text === null) {
      throw unreadableFile(path, facts.ok ? fileRefusal('caption-not-text', { at: 0 }) : facts.error);
    }
    const parsed = parseCaptions(text);
    if (act === 'check') return checkCaptions(context, path, parsed);
    if (act === 'convert') return convertCaptions(context, path, parsed);
    throw usageError('Run "adslate media captions check|convert FILE".');
  },
};

function checkCaptions({ output, text }: Context, path: string, { captions, problems }: ParsedCaptions) {
  const speed = SPEEDS.find((name) => name === (text('speed') ?? 'standard'));
  if (speed === undefined) throw usageError(`--speed must be one of ${SPEEDS.join(', ')}.`);
  // Without the video, only problems of single captions can be checked.
  const faults = captionFaults(captions, READING_SPEEDS[speed], null).filter(
    ({ code }) => code === 'overlap' || code === 'speed',
  );
  output.say(problems.map(({ line, code }) => `${path}, ${lineText(line)}: the caption has ${LINE_TEXTS[code]}.`));
  output.say(
    faults.map(({ at, code, value }) =>
      code === 'overlap'
        ? `${path}, caption ${at + 1}: starts ${value / 1000} s before the previous one ends.`
        : `${path}, caption ${at + 1}: has ${value.toFixed(1)} characters per second, more than ${READING_SPEEDS[speed]}.`,
    ),
  );
  output.say(`${counted(captions.length, 'caption')}, ${counted(problems.length + faults.length, 'problem')}.`);
  output.result({ captions: captions.length, speed: READING_SPEEDS[speed], problems, faults });
  return problems.length + faults.length === 0 ? EXIT_CODE.done : EXIT_CODE.refused;
}

async function convertCaptions(context: Context, path: string, { captions, head, problems }: ParsedCaptions) {
  const out = context.need('out');
  const format = /\.(srt|vtt)$/i.exec(out)?.[1]?.toLowerCase();
  if (format !== 'srt' && format !== 'vtt') throw usageError('The name of --out must end with .srt or .vtt.');
  const shift = context.text('shift') ?? '0';
  const byMs = millisecondsOf('--shift', shift.replace(/^-/, '')) * (shift.startsWith('-') ? -1 : 1);
  const [bad] = problems.filter(({ code }) => code === 'no-timing' || code === 'bad-time');
  if (bad !== undefined) {
    throw refused(
      'BAD_FILE',
      `${path}, ${lineText(bad.line)}: the caption has ${LINE_TEXTS[bad.code]}. Correct it first.`,
    );
  }
  const text = printCaptions(shiftCaptions(captions, byMs), format, head);
  await writeOutputFile(context, resolve(out), (file) => writeFileAtomic(file, text));
  context.output.say(`Wrote ${counted(captions.length, 'caption')} to ${out}.`);
  context.output.result({ file: out, captions: captions.length });
  return EXIT_CODE.done;
}

export const mediaCommands: readonly Command[] = [mediaAdd, mediaList, mediaTrim, mediaCaptions, mediaHosts];
