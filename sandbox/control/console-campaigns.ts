import { readDate, readWord } from '../fields.ts';
import { findCampaign } from '../lookups.ts';
import { messages } from '../messages.ts';
import { Refusal } from '../refusal.ts';
import { readCampaignFields, showCampaign } from '../resources/campaign-fields.ts';
import { reread, updateCampaign } from '../resources/campaign-update.ts';
import type { Service } from '../service.ts';
import { type ControlCall, type ControlRoute, fieldsOf, idOf } from './route.ts';

/** `POST /sandbox/console/campaigns/{id}`: what a person does to a campaign in the retailer's own console. */
export const consoleCampaignRoutes: readonly ControlRoute[] = [
  { method: 'POST', path: '/sandbox/console/campaigns/:id', handle: actOnCampaign },
];

const wordByAction = { pause: 'paused', enable: 'enabled', end: 'completed', extend: 'extend' } as const;

function actOnCampaign(service: Service, call: ControlCall): unknown {
  const campaign = findCampaign(service, idOf(call, 'id'));
  if (campaign === undefined) throw new Refusal(404, messages.campaignNotFound);
  const fields = fieldsOf(call);
  const action = readWord(fields, 'action', ['pause', 'enable', 'end', 'extend']);
  const word = action === null ? null : wordByAction[action];
  if (action === 'extend' && readDate(fields, 'endDate') === null) throw new Refusal(400, 'extend needs endDate');
  const problem = service.store.inTransaction(() =>
    updateCampaign(service, campaign, readCampaignFields(fields), word, 'console'),
  );
  if (problem !== null) throw new Refusal(409, problem);
  return showCampaign(reread(service, campaign));
}
