import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { Row } from '../../../shared/model/row.ts';
import { type RemoteId, type RowId, remoteId } from '../../../shared/model/scalars.ts';
import { planChanges } from '../../../shared/plan/plan.ts';
import { type PlanBatch, type PlanUpload, WITH_EXTENSIONS } from '../../../shared/plan/plan-types.ts';
import { renderBatch } from '../../../shared/plan/wire.ts';
import { checkCampaign, checkMedia } from '../../../shared/rules/check.ts';
import type { Issue, RuleEnv } from '../../../shared/rules/rule.ts';
import { errorLookup, planInput } from '../builders.ts';
import type { Service } from './world.ts';

interface Refused {
  readonly campaignId: RowId | null;
  readonly kind: Kind;
  readonly id: RowId;
  /** The service's words. */
  readonly details: string;
}

interface CarriedOut {
  /** How many elements of each campaign were sent, by its row id. */
  readonly sent: ReadonlyMap<RowId, number>;
  readonly total: number;
  readonly refused: readonly Refused[];
  /** Remote ids under `kind/row`. */
  readonly ids: ReadonlyMap<string, RemoteId>;
  readonly uploads: number;
}

/** What the rules say of a campaign and of the files it uses. */
export const issuesOf = (tree: CampaignTree, env: RuleEnv): readonly Issue[] => [
  ...checkCampaign(tree, env),
  ...tree.media.flatMap((row) => checkMedia(row, env)),
];

/**
 * Sends the plan of these campaigns batch by batch, as a client would: files first, then, once the service has
 * worked on them, the rest. @param choices.ignoreErrors sends rows with errors too
 */
export async function carryOut(
  service: Service,
  trees: readonly CampaignTree[],
  env: RuleEnv,
  choices: { readonly ignoreErrors?: boolean } = {},
): Promise<CarriedOut> {
  const { profile, today } = env;
  const issues = choices.ignoreErrors === true ? [] : trees.flatMap((tree) => issuesOf(tree, env));
  const hasErrors = errorLookup(issues);
  const settings = { profile, today, hasErrors, capabilities: WITH_EXTENSIONS, submit: false };
  const plan = planChanges(planInput(trees, settings));
  const media = new Map(trees.flatMap((tree) => tree.media.map((row) => [row.id, row] as const)));
  const profiles = new Map(trees.flatMap((tree) => tree.sbaProfiles.map((row) => [row.id, row] as const)));
  const ids = new Map<string, RemoteId>();
  for (const upload of plan.uploads) ids.set(`media/${upload.mediaId}`, await send(service, upload, media));
  if (plan.uploads.length > 0) await service.advance('PT31M');
  const sent = new Map<RowId, number>();
  const refused: Refused[] = [];
  for (const batch of plan.batches) {
    const body = renderBatch(batch, (kind, id) => ids.get(`${kind}/${id}`) ?? null);
    // A parent was refused: there is nothing the rows could hang from.
    if (body.includes('"@')) continue;
    const answer =
      batch.verb === 'logo'
        ? await service.owner.send(batch.method, batch.path, logoForm(service, batch, body, profiles, media))
        : await service.owner.send(batch.method, batch.path, body, { 'content-type': 'application/json' });
    if (batch.campaignId !== null)
      sent.set(batch.campaignId, (sent.get(batch.campaignId) ?? 0) + batch.elements.length);
    readAnswer(answer, batch, ids, refused);
  }
  const total = [...sent.values()].reduce((sum, count) => sum + count, 0);
  return { sent, total, refused, ids, uploads: plan.uploads.length };
}

type MediaRows = ReadonlyMap<RowId, Row<'media'>>;

function fileOf({ files }: Service, media: MediaRows, rowId: RowId | null) {
  const file = files.get((rowId === null ? null : media.get(rowId)?.values.fileName) ?? '');
  if (file === undefined) throw new Error(`row ${rowId} is no file`);
  return file;
}

/** The request pair, the bytes, the caption, the completion. @returns the service's media id */
async function send(service: Service, upload: PlanUpload, media: MediaRows): Promise<RemoteId> {
  const { owner, advertiserId } = service;
  const asked = await owner.post('/api/v1/media/upload', { advertiserId, mediaType: 'video' });
  const { mediaUploadRequestId, uploadUrl, captionUrl } = asked.body as Readonly<Record<string, string>>;
  const put = async (url: string, rowId: RowId) => {
    const { bytes, contentType } = fileOf(service, media, rowId);
    const answer = await fetch(url, { method: 'PUT', body: bytes, headers: { 'content-type': contentType } });
    if (!answer.ok) throw new Error(`upload of ${upload.file}: ${answer.status}`);
  };
  await put(uploadUrl ?? '', upload.mediaId);
  if (upload.captionId !== null) await put(captionUrl ?? '', upload.captionId);
  const { mediaName } = upload;
  const done = await owner.put('/api/v1/media/complete', { advertiserId, mediaUploadRequestId, mediaName });
  const mediaId = remoteId(String((done.body as { readonly mediaId?: string | number }).mediaId ?? ''));
  if (mediaId === null) throw new Error(`completion of ${upload.file}: ${JSON.stringify(done.body)}`);
  return mediaId;
}

function logoForm(
  service: Service,
  batch: PlanBatch,
  body: string,
  profiles: ReadonlyMap<RowId, Row<'sbaProfile'>>,
  media: MediaRows,
): FormData {
  const [element] = batch.elements;
  const profile = element === undefined ? undefined : profiles.get(element.id);
  const { bytes } = fileOf(service, media, profile?.values.logo ?? null);
  const form = new FormData();
  form.set('SBABaseProfileRequest', body);
  form.set('file', new Blob([bytes], { type: 'image/png' }), 'logo.png');
  return form;
}

type Element = Readonly<Record<string, unknown>>;

function readAnswer(
  { status, body }: { readonly status: number; readonly body: unknown },
  batch: PlanBatch,
  ids: Map<string, RemoteId>,
  refused: Refused[],
): void {
  const results: readonly Element[] = Array.isArray(body)
    ? body
    : ((body as { results?: Element[] } | null)?.results ?? []);
  batch.elements.forEach((element, at) => {
    const result = results[at];
    if (status === 200 && result?.['code'] === 'success') {
      const own = remoteId(idIn(result, element.kind));
      if (own !== null) ids.set(`${element.kind}/${element.id}`, own);
    } else {
      const { kind, id } = element;
      refused.push({ campaignId: batch.campaignId, kind, id, details: JSON.stringify(result ?? body) });
    }
  });
}

/** The id of the thing itself among those of its parents. */
function idIn(result: Element, kind: Kind): string {
  const given = Object.entries(result).find(
    ([key, value]) => key.endsWith('Id') && key !== 'campaignId' && value !== 0,
  );
  const own = kind === 'campaign' ? result['campaignId'] : given?.[1];
  return typeof own === 'string' || typeof own === 'number' ? String(own) : '';
}
