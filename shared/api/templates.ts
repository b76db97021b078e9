import { z } from 'zod';
import { jsonText } from './json-text.ts';
import { operation } from './operation.ts';
import { seenName } from './scalars.ts';

/** Templates of one workspace at most. */
export const TEMPLATES_MAX = 100;

/** The form of a new campaign under a name: what was typed, field by field, and nothing that the service gives. */
export const CampaignTemplate = z.strictObject({
  name: z.string().trim().min(1).max(80),
  shape: z.enum(['video', 'sba', 'auto', 'manual']),
  /** Texts by the fields of the form; items and keywords one a line. */
  form: z.record(z.string().max(40), z.string().max(200_000)),
});
export type CampaignTemplate = z.infer<typeof CampaignTemplate>;

const templates = z.array(CampaignTemplate).max(TEMPLATES_MAX);

/** The JSON text under which a workspace keeps its templates. */
export const TemplatesText = jsonText(templates);

export const templatesContract = {
  /** In the order of their names. */
  list: operation({ runs: 'main', output: templates }),
  /** Keeps the template, in the place of the one with its name if there is one. */
  save: operation({
    runs: 'main',
    access: 'write',
    // Those that are kept already may have any name.
    input: { template: CampaignTemplate.extend({ name: seenName(80) }) },
    output: templates,
    errors: ['BAD_TOOL'],
  }),
  remove: operation({ runs: 'main', access: 'write', input: { name: z.string().max(80) }, output: templates }),
};
