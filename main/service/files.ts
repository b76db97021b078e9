import { EditedCaptions } from '../../shared/api/files.ts';
import type { PictureOf, ShownPicture } from '../../shared/api/items.ts';
import type { Failure } from '../../shared/api/operation.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { fileError, fileRefusal } from '../../shared/media/file-refusal.ts';
import { outgoingName } from '../../shared/media/outgoing-name.ts';
import { folderText, parsePatterns } from '../../shared/media/watched-files.ts';
import { posterOf } from '../../shared/model/media.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import type { Row } from '../../shared/model/row.ts';
import type { RowId, WorkspaceId } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import { readableName } from '../accounts/account-record.ts';
import { NO_OBSERVER } from '../app/long-task.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import type { ArchiveTooLarge, MissingMedia } from '../files/archive/write-archive.ts';
import { addMedia, addPoster, addTrimmed } from '../files/media/add-media.ts';
import { contentTypeOf } from '../files/media/library.ts';
import type { ExportProblem } from '../files/spreadsheet/worker/export-sheet.ts';
import { notWritable } from '../store/not-writable.ts';
import type { NotWritable } from '../store/types.ts';
import { noGrant, resolveGrant } from './failures.ts';
import { metricsOfView } from './metrics.ts';
import type { MainOperations, RouterContext } from './router.ts';
import { ownerIn } from './sync.ts';

/** Import and export: spreadsheets and archives, media, pictures of the service. */
export const fileOperations = (
  parts: RouterContext,
): Pick<MainOperations, 'exchange' | 'media' | 'pictures' | 'watchedFolder'> => ({
  exchange: exchangeOperations(parts),
  watchedFolder: watchedFolderOperations(parts),
  media: {
    add: async ({ account: { workspace, library } }, input) => {
      const resolving = input.grants.map((grant) => parts.grants.resolve(grant));
      const missing = resolving.indexOf(null);
      if (missing >= 0) return noGrant(input.grants[missing] ?? '');
      const files = await Promise.all(resolving.filter((file) => file !== null));
      return addMedia({ workspace, library, prober: parts.prober }, files);
    },
    preview: async ({ account: { workspace, library } }, { workspaceId, mediaId }) => {
      const row = await workspace.readRow({ kind: 'media', id: mediaId });
      if (row === null || row.kind !== 'media' || row.values.sha256 === null) {
        return fail('NO_ROW', { kind: 'media', id: mediaId });
      }
      const contentType = contentTypeOf(row);
      const fileName = outgoingName(row.values.fileName ?? row.values.mediaName ?? String(mediaId), contentType);
      const path = await library.find(row.values.sha256);
      const served = row.values.mediaType === 'caption' ? `${contentType}; charset=utf-8` : contentType;
      const handle = parts.previews.offer({ path, contentType: served, fileName, workspaceId });
      return ok({ url: `/preview/${handle}`, contentType, fileName });
    },
    editedCaptions: async ({ account }, { mediaId }) => ok(await editedCaptions(account, mediaId)),
    keepEditedCaptions: async ({ account: { workspace } }, { mediaId, edited }) => {
      await workspace.setMeta(editedCaptionsKey(mediaId), edited === null ? '' : JSON.stringify(edited));
      return ok({});
    },
    keyFrames: async ({ account }, { mediaId }) => {
      const video = await videoOf(account, mediaId);
      if (video === null) return fail('NO_ROW', { kind: 'media', id: mediaId });
      const read = await parts.prober.keyFrames(await account.library.find(video.values.sha256 ?? ''));
      return read.ok ? ok({ keyFramesMs: [...read.value] }) : fileError(video.values.fileName ?? '', read.error);
    },
    addPoster: async ({ account }, { mediaId, jpeg }) => {
      const video = await videoOf(account, mediaId);
      if (video === null) return fail('NO_ROW', { kind: 'media', id: mediaId });
      const added = await addPoster(account, video, Buffer.from(jpeg, 'base64'));
      if (added.ok) return added;
      return 'reason' in added.error ? fileError(video.values.fileName ?? '', added.error) : err(added.error);
    },
    trim: async ({ account, task }, { mediaId, fromMs, toMs }) => {
      const video = await videoOf(account, mediaId);
      if (video === null) return fail('NO_ROW', { kind: 'media', id: mediaId });
      const { workspace, library } = account;
      const deps = { workspace, library, prober: parts.prober };
      const made = await addTrimmed(
        deps,
        { video, fromMs, toMs, edited: await editedCaptions(account, mediaId) },
        task ?? NO_OBSERVER,
      );
      if (made.ok) return made;
      return 'reason' in made.error ? fileError(video.values.fileName ?? '', made.error) : err(made.error);
    },
  },
  pictures: {
    keepPoster: async ({ account }, { workspaceId, id, jpeg }) => {
      const sha256 = await fileOf(account, id);
      const kept = sha256 === null ? null : await account.pictures.keepPoster(sha256, Buffer.from(jpeg, 'base64'));
      return ok(kept === null ? NO_PICTURE : offered(parts, workspaceId, kept));
    },
    show: async ({ account }, { workspaceId, of }) => {
      if (of.is === 'poster') {
        const sha256 = await fileOf(account, of.id);
        const poster = sha256 === null ? null : await posterPicture(account, sha256);
        return ok(poster === null ? NO_PICTURE : offered(parts, workspaceId, poster));
      }
      return ok(await shownPicture(parts, account, workspaceId, of));
    },
    ofCampaigns: async ({ account }, { workspaceId, campaignIds }) => {
      const items = await account.workspace.firstItems(campaignIds);
      const shown = await Promise.all(
        items.map(async ({ campaignId, itemId }) => {
          const { url } = await shownPicture(parts, account, workspaceId, { is: 'item', itemId });
          return url === null ? [] : [{ campaignId, url }];
        }),
      );
      return ok(shown.flat());
    },
  },
});

async function editedCaptions({ workspace }: Pick<ActiveAccount, 'workspace'>, mediaId: RowId) {
  const text = await workspace.getMeta(editedCaptionsKey(mediaId));
  return EditedCaptions.safeParse(jsonOrNull(text ?? '')).data ?? null;
}

const editedCaptionsKey = (mediaId: RowId): string => `edited-captions-${mediaId}`;

function watchedFolderOperations({ grants, options }: RouterContext): MainOperations['watchedFolder'] {
  return {
    state: async ({ account }) => ok(account.watched.state()),
    set: async ({ account }, { on, patterns, polling, folder }) => {
      const parsed = patterns === undefined ? ok(null) : parsePatterns(patterns);
      if (!parsed.ok) return fail('BAD_TOOL', { at: 0, problem: folderText(parsed.error) });
      const path = typeof folder === 'string' ? grants.resolveFolder(folder) : null;
      if (typeof folder === 'string' && path === null) return noGrant(folder);
      const change = {
        ...(on === undefined ? {} : { on }),
        ...(patterns === undefined ? {} : { patterns }),
        ...(polling === undefined ? {} : { polling }),
        ...(folder === undefined ? {} : { path }),
      };
      return ok(await account.watched.set(change, options.host !== 'cli'));
    },
    test: async ({ account }, { patterns, names }) => {
      const parsed = parsePatterns(patterns);
      if (!parsed.ok) return ok({ problem: parsed.error, names: [] });
      return ok({ problem: null, names: await account.watched.test(parsed.value, names) });
    },
    scan: async ({ account }, { again }) => ok(await account.watched.scan(again)),
  };
}

async function shownPicture(
  parts: RouterContext,
  account: ActiveAccount,
  workspaceId: WorkspaceId,
  of: Exclude<PictureOf, { readonly is: 'poster' }>,
): Promise<ShownPicture> {
  const address = await addressOf(account, of);
  if (address === null || address === '') return NO_PICTURE;
  const shown = await account.pictures.show(address);
  if (!shown.ok) return { url: null, why: shown.error.kind, host: shown.error.host };
  return offered(parts, workspaceId, shown.value);
}

const NO_PICTURE = { url: null, why: 'none', host: '' } as const;

/** The preview URL of a cached picture. */
function offered(
  { previews }: RouterContext,
  workspaceId: WorkspaceId,
  { path, contentType }: { readonly path: string; readonly contentType: string },
) {
  const fileName = `picture.${contentType.slice('image/'.length)}`;
  return { url: `/preview/${previews.offer({ path, contentType, fileName, workspaceId })}`, why: null, host: '' };
}

/** A video row with a local file; null for any other row. */
async function videoOf({ workspace }: ActiveAccount, id: RowId): Promise<Row<'media'> | null> {
  const row = await workspace.readRow({ kind: 'media', id });
  return row?.kind === 'media' && row.values.mediaType === 'video' && row.values.sha256 !== null ? row : null;
}

/** The selected poster of a video; without one, the frame that a window has captured from it. */
export async function posterPicture({ workspace, library, pictures }: ActiveAccount, sha256: string) {
  const chosen = posterOf(await workspace.readMedia(), sha256)?.values.sha256 ?? null;
  return chosen === null ? pictures.poster(sha256) : { path: await library.find(chosen), contentType: 'image/jpeg' };
}

/** The hash of a media row's file; null without a local file. */
async function fileOf({ workspace }: ActiveAccount, id: RowId): Promise<string | null> {
  const row = await workspace.readRow({ kind: 'media', id });
  return row?.kind === 'media' ? row.values.sha256 : null;
}

/** The URL from the service's data; a window can't pass a URL. */
async function addressOf(
  { workspace, pictures }: ActiveAccount,
  of: Exclude<PictureOf, { is: 'poster' }>,
): Promise<string | null> {
  if (of.is === 'item') return (await pictures.item(of.itemId))?.imageUrl ?? null;
  const row = await workspace.readRow({ kind: of.kind, id: of.id });
  if (row?.kind === 'sbaProfile') return row.values.logoUrl;
  return row?.kind === 'videoProfile' || row?.kind === 'media' ? row.values.thumbnailUrl : null;
}

const SUFFIX = { archive: 'adslate', changes: 'adslate-changes' } as const;

const CONTENT_TYPE = {
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  // Not an HTML content type, so that it is never shown as a page of our origin; it is only saved.
  html: 'application/x-adslate-page',
} as const;

function exchangeOperations({
  accounts,
  grants,
  exchange,
  exports,
  options,
}: RouterContext): MainOperations['exchange'] {
  return {
    preview: async ({ account, task }, { workspaceId: _, grant, taskId: __, ...asked }) => {
      const file = await resolveGrant(grants, grant);
      if (!file.ok) return file;
      const preview = await exchange.preview(account, file.value, asked, task ?? NO_OBSERVER);
      return preview.ok ? preview : fileError(file.value.fileName, preview.error);
    },
    forgetColumn: async ({ account }, column) => {
      await account.rememberedColumns.forget(column);
      return ok({});
    },
    skipColumns: async ({ account }, { previewId, columns, lines }) => {
      const left = await exchange.leaveColumnsOut(account, previewId, columns, lines);
      if (left === null) return noGrant(previewId);
      return left.ok ? left : fileError('', left.error);
    },
    rows: async ({ account }, { previewId, filter, from, count }) => {
      const rows = await exchange.rows(account, previewId, filter, from, count);
      return rows === null ? noGrant(previewId) : ok(rows);
    },
    apply: async ({ account, task }, { workspaceId: _, previewId, taskId: __, ...choice }) => {
      const applied = await exchange.apply(account, previewId, choice, task ?? NO_OBSERVER);
      return applied ?? noGrant(previewId);
    },
    exportErrors: ({ account }, { workspaceId, previewId, format }) =>
      exports.write(
        { contentType: CONTENT_TYPE[format], fileName: `failed-rows.${format}`, workspaceId },
        async (path) => {
          const rows = await exchange.failed(account, previewId, path, format);
          return rows === null ? noGrant(previewId) : ok(rows);
        },
      ),
    dismiss: async (_context, { previewId }) => {
      await exchange.dismiss(previewId);
      return ok({});
    },
    export: async ({ account, task }, { workspaceId, format, view }) => {
      const work = task ?? NO_OBSERVER;
      const nowMs = options.clock.nowMs();
      const day = dateInZone(nowMs, account.profile.business.zone);
      const { name, advertiserId } = ownerIn(await accounts.list(), workspaceId);
      const isWhole = format === 'archive' || format === 'changes';
      const fileName = `adslate-${readableName(name) || workspaceId}-${day}.${isWhole ? SUFFIX[format] : format}`;
      const contentType = isWhole ? 'application/zip' : CONTENT_TYPE[format];
      let isUnsigned = false;
      const write = async (
        target: string,
      ): Promise<Result<number, Failure<'BAD_FILE' | 'BAD_FILTER'> | NotWritable>> => {
        if (!isWhole) {
          const metrics = await metricsOfView(account, view);
          const order = { target, format, view, metrics, title: `${name}, ${day}` };
          const written = await exchange.export(account, order, work);
          return written.ok ? ok(written.value.rows) : notExported(written.error, fileName);
        }
        const order = { source: format, target, account: { name, advertiserId }, nowMs };
        const archive = await exchange.archive(account, order, work);
        if (!archive.ok) return notArchived(archive.error, fileName);
        isUnsigned = !archive.value.isSigned;
        return ok(archive.value.rows);
      };
      const exported = await exports.write({ contentType, fileName, workspaceId }, write);
      return exported.ok && isUnsigned ? ok({ ...exported.value, isUnsigned: true as const }) : exported;
    },
  };
}

const notArchived = (problem: MissingMedia | ArchiveTooLarge, fileName: string) =>
  problem.kind === 'missing-media'
    ? fileError(problem.fileName, fileRefusal('cannot-read', { code: 'ENOENT' }))
    : fileError(fileName, fileRefusal(problem.kind, problem.params));

function notExported(problem: ExportProblem, fileName: string) {
  if (problem.kind === 'bad-filter') return fail('BAD_FILTER', { at: problem.at, problem: problem.problem });
  if (problem.kind === 'too-many-rows') {
    return fileError(fileName, { reason: 'too-many-rows', params: { limit: problem.limit } });
  }
  return err(notWritable(problem.code === 'ENOSPC' ? 'disk-full' : 'read-only', fileName));
}
