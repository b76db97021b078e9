import { limits } from '../limits.ts';
import { ownMessages } from '../messages.ts';
import { readVideoLengthMs } from './video-length.ts';

export interface VideoVerdict {
  /** Empty when the video is in order. */
  readonly verdict: string;
  readonly lengthMs: number | null;
}

/** "Video length: 5 to 45 seconds", judged from the file itself and not from what the caller says about it. */
export async function judgeVideo(path: string): Promise<VideoVerdict> {
  const lengthMs = await readVideoLengthMs(path);
  if (lengthMs === null) return { verdict: ownMessages.videoUnreadable, lengthMs };
  const fits = lengthMs >= limits.videoMinSeconds * 1000 && lengthMs <= limits.videoMaxSeconds * 1000;
  return { verdict: fits ? '' : ownMessages.videoTooShortOrLong((lengthMs / 1000).toFixed(1)), lengthMs };
}
