import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadHost } from '../../../../shared/api/accounts.ts';
import type { AddedFile } from '../../../../shared/api/files.ts';
import { statusName } from '../../../../shared/lifecycle/states.ts';
import { fileRefusalText } from '../../../../shared/media/file-refusal.ts';
import { isServiceMedia, type MediaFacts, readMediaFacts } from '../../../../shared/model/media.ts';
import type { Row } from '../../../../shared/model/row.ts';
import { nullIfNotFound } from '../../../app/atomic-write.ts';
import { grantRefusal } from '../../../files/media/add-media.ts';
import { CliError, EXIT_CODE, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { counted } from '../output.ts';
import { readFindings, SEVERITY_WORDS } from './check.ts';

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
      else unreadable.push({ outcome: 'refused', fileName: file.error.fileName, ...grantRefusal(file.error) });
    }
    const added = given.length === 0 ? [] : (await client.media.add({ workspaceId, grants: given })).files;
    return report(context, client, [...added, ...unreadable], skipped);
  },
};

const MEDIA_NAME = /\.(mp4|mov|srt|vtt|png)$/i;
const MOST_FILES = 200;

/**
 * A folder stands for the media files in it and below, and its other files, such as archives, are skipped; any other path
 * stands for itself, whatever its name.
 */
async function withoutFolders(
  paths: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly skipped: readonly string[] }> {
  const files: string[] = [];
  const skipped: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(nullIfNotFound); // a missing file is named when it is asked for
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
  // Only what concerns the files just added: the rest is the business of `check`.
  const all = ids.size === 0 ? [] : (await readFindings(client, workspaceId)).findings;
  const findings = all.filter((finding) => finding.kind === 'media' && ids.has(finding.id));
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
  output.say(findings.map(({ severity, message }) => `${SEVERITY_WORDS[severity]}: ${message}`));
  output.result({
    files: shown,
    skipped,
    findings: findings.map(({ rule, severity, field, message }) => ({ rule, severity, field, message })),
  });
  const hasErrors = findings.some((finding) => finding.severity === 'error');
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
    // A sentence has no room in a table.
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

function factsText(json: string | null): string {
  if (json === null) return '';
  const facts: MediaFacts = JSON.parse(json);
  switch (facts.is) {
    case 'video':
      return `${facts.durationMs === null ? '?' : (facts.durationMs / 1000).toFixed(1)} s, ${facts.width ?? '?'}x${facts.height ?? '?'}, ${facts.videoCodec ?? '?'}`;
    case 'caption':
      return `${counted(facts.cues, 'cue')}, ${facts.format}`;
    case 'logo':
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

export const mediaCommands: readonly Command[] = [mediaAdd, mediaList, mediaHosts];
