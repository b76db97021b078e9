import type { Kind } from '../../shared/model/kinds.ts';
import type { Row } from '../../shared/model/row.ts';
import { type RemoteId, type RowId, remoteId } from '../../shared/model/scalars.ts';
import {
  type WrittenElement,
  type WrittenPlan,
  type WrittenRequest,
  writtenBody,
  writtenRefs,
} from '../../shared/plan/plan-text.ts';
import type { PlanUpload } from '../../shared/plan/plan-types.ts';
import { LOGO_FIELDS } from '../api/media.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { Outcome } from '../api/request-outcome.ts';
import { expectedShape } from './expected-response.ts';
import type { Uploader } from './ports.ts';

/** The service to which a written plan is replayed. Its existing rows are ignored. */
interface ReplayPlace {
  readonly api: PartnerApi;
  readonly uploader: Uploader;
  /** Files of the media library by row ID. */
  readonly media: ReadonlyMap<RowId, Row<'media'>>;
  /** Moves the service's clock ahead by an ISO 8601 duration. */
  readonly advance: (duration: string) => Promise<void>;
}

/** The result of one request, or of one upload (`request` is then null). */
export interface Replayed {
  readonly request: WrittenRequest | null;
  readonly accepted: number;
  readonly refused: readonly { readonly kind: Kind; readonly id: RowId; readonly message: string }[];
  /** Why it was not sent; null if it was sent. */
  readonly notSent: string | null;
}

/** The service sets the status of a new campaign within this time and accepts a review only after that. */
const MOMENT = 'PT1M';
/** The service processes a video within half an hour; this is longer. */
const VIDEO_WORK = 'PT1H';

/**
 * Sends the requests of a written plan in order to a service without other users, such as a new practice service:
 * references to rows become the IDs from the service's responses, and the advertiser ID becomes the service's. If a row
 * fails, requests that refer to it are skipped; the others are sent.
 */
export async function replayPlan(plan: WrittenPlan, place: ReplayPlace): Promise<readonly Replayed[]> {
  const ids = new Map<string, RemoteId>();
  const done: Replayed[] = [];
  for (const upload of plan.uploads) done.push(await replayUpload(upload, place, ids));
  if (plan.uploads.length > 0) await place.advance(VIDEO_WORK);
  const firstReview = plan.requests.find(({ verb }) => verb === 'submit');
  for (const request of plan.requests) {
    if (request === firstReview) await place.advance(MOMENT);
    done.push(await replayRequest(request, place, ids));
  }
  // So that the displayed states do not depend on the speed of this computer.
  if (firstReview === undefined) await place.advance(MOMENT);
  return done;
}

async function replayRequest(
  request: WrittenRequest,
  place: ReplayPlace,
  ids: Map<string, RemoteId>,
): Promise<Replayed> {
  const missing = writtenRefs(request).filter((ref) => !ids.has(ref));
  if (missing.length > 0) return notSent(request, `${missing.join(', ')} is not on the service`);
  const { method, path, kind, verb, elements } = request;
  const { advertiserId } = place.api.connection;
  const body = writtenBody(request, (of, id) => ids.get(`${of}/${id}`) ?? null).replace(
    /([{,]"advertiserId":)\d+/gu,
    (_, before: string) => before + advertiserId,
  );
  if (verb === 'logo') return replayLogo(request, body, place);
  const shape = expectedShape(kind, verb, elements.length, () => false);
  const correlationId = place.api.newCorrelationId();
  const outcome = await place.api.send({ method, path, body, correlationId, shape });
  return settled(request, elements, outcome, (element, id) => {
    if (verb === 'create') ids.set(`${element.kind}/${element.id}`, id);
  });
}

/** Sends a logo, which is uploaded as a form: the plan's body has its three IDs, the media library its bytes. */
async function replayLogo(
  request: WrittenRequest,
  body: string,
  { api, uploader, media }: ReplayPlace,
): Promise<Replayed> {
  const [element] = request.elements;
  const file = element?.file == null ? undefined : media.get(element.file);
  if (file === undefined) return notSent(request, 'its picture is no longer in the library');
  const png = await uploader.bytes(file);
  if (!png.ok) return notSent(request, `its picture cannot be read (${png.error})`);
  const idIn = (name: string): RemoteId | null => remoteId(new RegExp(`"${name}":(\\d+)`, 'u').exec(body)?.[1] ?? '');
  const [campaignId, adGroupId, sbaProfileId] = [idIn('campaignId'), idIn('adGroupId'), idIn('sbaProfileId')];
  if (campaignId === null || adGroupId === null || sbaProfileId === null)
    return notSent(request, 'it names no profile');
  const logo = { campaignId, adGroupId, sbaProfileId, png: png.value, correlationId: api.newCorrelationId() };
  const { outcome } = await api.uploadLogo(logo, LOGO_FIELDS[0]);
  return settled(request, request.elements, outcome);
}

const COMPLETE = '/api/v1/media/complete';

async function replayUpload(upload: PlanUpload, place: ReplayPlace, ids: Map<string, RemoteId>): Promise<Replayed> {
  const { api, uploader, media } = place;
  const video = media.get(upload.mediaId);
  const caption = upload.captionId === null ? null : media.get(upload.captionId);
  if (video === undefined || caption === undefined) return notSent(null, `${upload.file} is no longer in the library`);
  const pair = await api.requestUpload();
  if (!pair.ok) return notSent(null, `${upload.file}: the service gave no address`);
  const { requestId, uploadUrl, captionUrl } = pair.value;
  const files = [
    [uploadUrl, video] as const,
    ...(caption === null || captionUrl === null ? [] : [[captionUrl, caption] as const]),
  ];
  for (const [address, row] of files) {
    if (!(await uploader.put(address, row, () => {})).ok) return notSent(null, `${upload.file} could not be uploaded`);
  }
  const { advertiserId } = api.connection;
  const body = `{"advertiserId":${advertiserId},"mediaUploadRequestId":${requestId},"mediaName":${JSON.stringify(upload.mediaName)}}`;
  const shape = expectedShape('media', 'upload', 1, () => false);
  const correlationId = api.newCorrelationId();
  const outcome = await api.send({ method: 'PUT', path: COMPLETE, body, correlationId, shape });
  const element = { kind: 'media', id: upload.mediaId, changed: [], file: null, body } as const;
  return settled(null, [element], outcome, (_, id) => ids.set(`media/${upload.mediaId}`, id));
}

function settled(
  request: WrittenRequest | null,
  elements: readonly WrittenElement[],
  outcome: Outcome,
  onId: (element: WrittenElement, id: RemoteId) => void = () => {},
): Replayed {
  if (outcome.class !== 'ELEMENTS') {
    const message = 'message' in outcome ? outcome.message : outcome.cause;
    return { request, accepted: 0, refused: elements.map(({ kind, id }) => ({ kind, id, message })), notSent: null };
  }
  const results = elements.map((element, at) => ({ element, result: outcome.elements[at] }));
  for (const { element, result } of results) {
    if (result?.is === 'done' && result.remoteId !== null) onId(element, result.remoteId);
  }
  const refused = results.flatMap(({ element: { kind, id }, result }) => {
    if (result?.is === 'done') return [];
    return [{ kind, id, message: result?.is === 'rejected' ? result.message : (result?.cause ?? 'no result') }];
  });
  return { request, accepted: elements.length - refused.length, refused, notSent: null };
}

const notSent = (request: WrittenRequest | null, why: string): Replayed => ({
  request,
  accepted: 0,
  refused: [],
  notSent: why,
});
