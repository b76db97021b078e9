import { readMediaFacts } from '../model/media-facts.ts';
import type { Row } from '../model/row.ts';
import type { DeploymentSettings } from '../profile/profile.ts';
import { type Report, type RuleEnv, rulesOf } from './rule.ts';

/** Logos of the library (document, "SBA profile content rules": PNG, 100 x 100 px, 200 Kb; upload at most 1024 Kb). */
export const logoRules = rulesOf('media', 'logo', 'SBA profile content rules', {
  unreadable: {
    bit: 0,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    text: 'The logo "{label}" could not be read as a PNG picture. Add the file again, or save it as PNG first.',
  },
  pixels: {
    bit: 1,
    severity: 'error',
    fields: ['facts'],
    needs: 'media facts',
    text: 'The logo "{label}" has {width} x {height} pixels; it must have {wantedWidth} x {wantedHeight}. Scale it and add it again.',
  },
  'content-size': {
    bit: 2,
    severity: 'error',
    fields: ['bytes'],
    needs: 'media facts',
    text: 'The logo "{label}" has {kb} KB; at most {max} KB are allowed. It would upload, but be rejected days later. Save it smaller.',
  },
  'upload-size': {
    bit: 3,
    severity: 'error',
    fields: ['bytes'],
    needs: 'media facts',
    section: 'Limits',
    text: 'The logo "{label}" has {kb} KB; the upload refuses files above {max} KB. Save it smaller.',
  },
});

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1024);

export function checkLogoFile(row: Row<'media'>, { profile }: RuleEnv, report: Report): void {
  const facts = readMediaFacts(row.values.facts);
  if (facts === null || facts.is !== 'logo') {
    report.add(logoRules.unreadable, row);
    return;
  }
  const { width, height, contentMaxKb, uploadMaxKb } = profile.logo;
  if (facts.width !== width || facts.height !== height) {
    const params = { width: facts.width, height: facts.height, wantedWidth: width, wantedHeight: height };
    report.add(logoRules.pixels, row, params);
  }
  const kb = kilobytes(row.values.bytes ?? 0);
  if (kb > uploadMaxKb) report.add(logoRules['upload-size'], row, { kb, max: uploadMaxKb });
  else if (kb > contentMaxKb) report.add(logoRules['content-size'], row, { kb, max: contentMaxKb });
}

/** In a few words why a library file cannot be a brand profile's logo; null when it can. */
export function logoProblem(row: Row<'media'> | undefined, { logo }: DeploymentSettings): string | null {
  if (row === undefined) return 'the file is not in the library';
  if (row.values.mediaType !== 'logo')
    return `the file is a ${row.values.mediaType ?? 'file of unknown type'}, not a logo`;
  const facts = readMediaFacts(row.values.facts);
  if (facts === null || facts.is !== 'logo') return 'the file is not a readable PNG';
  if (facts.width !== logo.width || facts.height !== logo.height)
    return `it has ${facts.width} x ${facts.height} pixels`;
  const kb = kilobytes(row.values.bytes ?? 0);
  return kb > Math.min(logo.contentMaxKb, logo.uploadMaxKb) ? `it has ${kb} KB` : null;
}
