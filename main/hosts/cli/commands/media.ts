import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadHost } from '../../../../shared/api/accounts.ts';
import type { AddedFile } from '../../../../shared/api/files.ts';
import { fileRefusalText } from '../../../../shared/media/file-refusal.ts';
import { isServiceMedia, type MediaFacts, readMediaFacts } from '../../../../shared/model/media.ts';
import type { Row } from '../../../../shared/model/row.ts';
import { nullIfNotFound } from '../../../app/atomic-write.ts';
import { grantRefusal } from '../../../files/media/add-media.ts';
import { CliError, EXIT_CODE, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { counted } from '../output.ts';
import { readFindings } from './check.ts';

const mediaAdd: Command = {
  name: 'media add',
  takes: 'FILE_OR_FOLDER...',
  summary: 'Checks videos, captions and logos and adds those that pass to the media library.',
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
    if (media.length === 0) throw usageError(`${path} holds no videos, captions or PNG images.`);
    const others = inside.filter((entry) => entry.isFile() && !MEDIA_NAME.test(entry.name));
    skipped.push(...others.map((entry) => join(entry.parentPath, entry.name)).sort());
    files.push(...media.map((entry) => join(entry.parentPath, entry.name)).sort());
  }
  if (files.length > MOST_FILES)
    throw usageError(`These are ${files.length} files; add at most ${MOST_FILES} at once.`);
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
    else output.say(`${file.file}: ${file.known === true ? 'in the library already' : `added as ${file.mediaType}`}.`);
  }
  output.say(skipped.map((path) => `${path}: skipped, since its name is none of a video, captions or a PNG image.`));
  output.say(findings.map(({ severity, message }) => `${severity}: ${message}`));
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
  summary: 'Lists the media library of the account, with the videos that are on the service already.',
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
      ['File', 'Media name', 'Media ID', 'Source', 'Type', 'Facts', 'State', 'Caption'],
      rows.map((row, at) => [
        row.values.fileName ?? '',
        row.values.mediaName ?? '',
        row.remoteId ?? '',
        media[at]?.source ?? '',
        row.values.mediaType ?? '',
        row.values.facts === null ? secondsText(lengthOf(row)) : factsText(row.values.facts),
        row.values.mediaState ?? '',
        media[at]?.caption ?? '',
      ]),
      'The media library is empty. "adslate media add FILE" fills it.',
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

const UNKNOWN_KIND = 'The media library holds a file of an unknown kind. Update Adslate.';

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

const ACTS = ['allow', 'refuse', 'forget'] as const;

const mediaHosts: Command = {
  name: 'upload-hosts',
  takes: '[allow|refuse|forget HOST]',
  summary:
    'Lists hosts outside the list of the deployment to which the service wants files sent, and what was said of them. allow and refuse answer for this account and this host alone; forget takes the answer back.',
  positionals: [0, 2],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const [named, host] = context.positionals;
    if (named === undefined) return show(context, await client.uploadHosts.list({ workspaceId }));
    const act = ACTS.find((one) => one === named);
    if (act === undefined || host === undefined)
      throw usageError('Write: adslate upload-hosts allow|refuse|forget HOST.');
    const hosts =
      act === 'forget'
        ? await client.uploadHosts.reset({ workspaceId, host })
        : await client.uploadHosts.set({ workspaceId, host, allow: act === 'allow' });
    return show(context, hosts);
  },
};

function show({ output }: Context, hosts: readonly UploadHost[]) {
  for (const { host, shown, state, files } of hosts) {
    const name = host === shown ? host : `${host} (${shown})`;
    const what = files.map((file) => `${file.name} (${counted(file.bytes, 'byte')})`).join(', ');
    output.say(`${name}  ${state}  ${what}`);
  }
  if (hosts.length === 0) output.say('No host was asked about: uploads go where the deployment says.');
  output.result({ hosts });
  return hosts.some(({ state }) => state === 'asked') ? EXIT_CODE.needsUser : EXIT_CODE.done;
}

export const mediaCommands: readonly Command[] = [mediaAdd, mediaList, mediaHosts];
