import type { CampaignTemplate } from '../../../shared/contract/templates.ts';
import { enTemplates } from '../../messages/en-templates.ts';
import type { CampaignShape } from '../../store/dialog.ts';

/** A name with tokens, a budget and a bid that the rules of the service take; the rest is left to the user. */
const FORMS: Readonly<Record<CampaignShape, Readonly<Record<string, string>>>> = {
  video: { dailyBudget: '100.00', bid: '1.50', matchType: 'broad' },
  sba: { dailyBudget: '100.00', bid: '1.20', matchType: 'phrase' },
  auto: { dailyBudget: '50.00', bid: '0.60' },
  manual: { dailyBudget: '50.00', bid: '0.80', matchType: 'exact' },
};

const SHAPES: readonly CampaignShape[] = ['video', 'sba', 'auto', 'manual'];

/** A template for each type of campaign that is there before any was kept. */
export const STARTERS: readonly CampaignTemplate[] = SHAPES.map((shape) => ({
  name: enTemplates.starters[shape].name,
  shape,
  form: { ...FORMS[shape], name: enTemplates.starters[shape].campaign },
}));

export const isStarter = (name: string): boolean => STARTERS.some((starter) => starter.name === name);
