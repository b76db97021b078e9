import { asRowId } from '../../../shared/model/scalars.ts';
import type { PlanBatch } from '../../../shared/plan/plan-types.ts';
import type { Outcome } from '../../api/outcome.ts';
import { mediaRow, remoteIdOf } from './books.ts';
import type { RoundContext } from './context.ts';
import { tx, type Work, write } from './effects.ts';

/** Key of the workspace's settings under which the spelling that this deployment accepts is remembered. */
export const LOGO_FIELD_KEY = 'logo-form-field';

/** Sends the logo of one profile. Its bytes are read whole: the service takes no more than a megabyte. */
export function* sendLogo(ctx: RoundContext, batch: PlanBatch, correlationId: string): Work<Outcome> {
  const [element] = batch.elements;
  const logoId = element?.sent['logo'];
  const row = typeof logoId === 'number' ? mediaRow(ctx, asRowId(logoId)) : null;
  const campaignId = remoteIdOf(ctx, 'campaign', batch.campaignId);
  const adGroupId = remoteIdOf(ctx, 'adGroup', batch.adGroupId);
  const sbaProfileId = remoteIdOf(ctx, 'sbaProfile', element?.id ?? null);
  if (row === null || campaignId === null || adGroupId === null || sbaProfileId === null) {
    return { class: 'REFUSED', status: 0, message: 'The logo is not in the media library any more. Choose it again.' };
  }
  const before = ctx.logoSpelling;
  const answer = yield* write('upload logo', async (ports) => {
    const png = await ports.uploader.bytes(row);
    if (!png.ok) return { outcome: unreadable(png.error), field: before };
    return ports.api.uploadLogo({ campaignId, adGroupId, sbaProfileId, png: png.value, correlationId }, before);
  });
  if (answer.field !== before) {
    ctx.logoSpelling = answer.field;
    yield* tx('remember logo field', (ports) => ports.workspace.setMeta(LOGO_FIELD_KEY, answer.field));
  }
  return answer.outcome;
}

const unreadable = (code: string): Outcome => ({
  class: 'REFUSED',
  status: 0,
  message: `The logo's file cannot be read (${code}). Add it to the library again.`,
});
