import { type Answer, type Client, fieldOf } from './client.ts';
import { aLogo } from './logo-file.ts';
import { listProfiles } from './sba-profiles.ts';
import type { World } from './world.ts';

/** What a case changes about the form of a logo upload. */
export interface Upload {
  readonly bytes?: Buffer;
  readonly type?: string;
  readonly fileName?: string;
  /** The JSON part; null leaves it out. */
  readonly part?: unknown;
  readonly partName?: string;
  readonly withoutFile?: boolean;
  readonly fileField?: string;
}

/** The form is written by hand: cases need file names and types that a browser's form would never send. */
export async function uploadLogo(
  world: World,
  client: Client,
  campaignName: string,
  choices: Upload = {},
  index = 0,
): Promise<Answer> {
  const { campaignId, adGroupId } = await world.campaign(campaignName);
  const sbaProfileId = fieldOf(await listProfiles(world, campaignName), 'sbaProfileId', index);
  const part = choices.part === undefined ? { campaignId, adGroupId, sbaProfileId } : choices.part;
  const boundary = 'part-of-the-form';
  const pieces: Buffer[] = [];
  if (part !== null) {
    const text = typeof part === 'string' ? part : JSON.stringify(part);
    pieces.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${choices.partName ?? 'SBABaseProfileRequest'}"\r\n\r\n${text}\r\n`,
      ),
    );
  }
  if (choices.withoutFile !== true) {
    pieces.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${choices.fileField ?? 'file'}"; filename="${choices.fileName ?? 'logo.png'}"\r\nContent-Type: ${choices.type ?? 'image/png'}\r\n\r\n`,
      ),
      choices.bytes ?? aLogo(),
      Buffer.from('\r\n'),
    );
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return client.send('POST', '/api/v2/sba_profile_image_upload', new Uint8Array(Buffer.concat(pieces)), {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  });
}
