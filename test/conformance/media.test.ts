import { expect } from 'vitest';
import { conform } from './case.ts';
import { expectRefusal, fieldOf, idOf } from './client.ts';
import { aVideo, captions, putBytes, requestUpload, uploadVideo } from './files.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'Video media';
const owner = () => world.as('owner');
const show = async (mediaId: number) => owner().get(`/api/v1/media?advertiserId=900001&mediaId=${mediaId}`);

conform(section, 'an upload request yields an uploadUrl and a captionUrl that need no credentials', async () => {
  const upload = await requestUpload(owner());
  expect(upload.body).toEqual({
    code: 'success',
    details: '',
    mediaUploadRequestId: expect.any(Number),
    uploadUrl: expect.stringMatching(/[?&]se=.+&sig=/),
    captionUrl: expect.stringMatching(/[?&]se=.+&sig=/),
  });
  expect((await putBytes(fieldOf(upload, 'uploadUrl'), aVideo(20, 'mov'), 'video/quicktime')).status).toBe(201);
  expect((await putBytes(fieldOf(upload, 'captionUrl'), captions, 'text/vtt')).status).toBe(201);
});

conform('Limits', 'both addresses end after 15 minutes', async () => {
  const upload = await requestUpload(owner());
  await world.advance('PT15M');
  expect((await putBytes(fieldOf(upload, 'uploadUrl'), aVideo(20), 'video/mp4')).status).toBe(201);
  await world.advance('PT1S');
  expect((await putBytes(fieldOf(upload, 'uploadUrl'), aVideo(20), 'video/mp4')).status).toBe(403);
  expect((await putBytes(fieldOf(upload, 'captionUrl'), captions, 'text/vtt')).status).toBe(403);
  // A long film is told, too, instead of being cut off.
  const long = await putBytes(fieldOf(upload, 'uploadUrl'), Buffer.alloc(20_000_000), 'video/mp4');
  expect(long.status).toBe(403);
}).proves('limit.uploadUrlMinutes', 'own.uploadExpired');

conform(section, 'an upload address refuses another signature, credentials and other types', async () => {
  const url = String(fieldOf(await requestUpload(owner()), 'uploadUrl'));
  expect((await putBytes(url.replace(/sig=.*/, 'sig=x'), 'x', 'video/mp4')).status).toBe(403);
  expect((await putBytes(url.replace(/\?.*/, ''), 'x', 'video/mp4')).status).toBe(403);
  expect((await putBytes(url, 'x', 'video/mp4', { authorization: 'Bearer x' })).status).toBe(400);
  expect((await putBytes(url, 'x', 'video/mp4', { 'SVC_CONSUMER.ID': 'x' })).status).toBe(400);
  expect((await putBytes(url, 'x', 'image/png')).status).toBe(415);
}).proves('own.uploadHeaders', 'own.uploadType');

conform('Limits', 'media is processed for about 30 minutes', async () => {
  const mediaId = await uploadVideo(owner(), aVideo(20), captions);
  expect((await show(mediaId)).body).toEqual([
    {
      mediaId,
      status: 'pending',
      details: '',
      name: 'Spring cut 20s',
      thumbnail: null,
      videoUrl: null,
      captionUrl: null,
      attached: false,
      durationSeconds: 20,
    },
  ]);
  await world.advance('PT1S');
  expect(fieldOf(await show(mediaId), 'status')).toBe('processing');
  await world.advance('PT30M');
  const ready = await show(mediaId);
  expect(fieldOf(ready, 'status')).toBe('available');
  const thumbnail = await fetch(String(fieldOf(ready, 'thumbnail')));
  expect(thumbnail.headers.get('content-type')).toBe('image/png');
  const video = await fetch(String(fieldOf(ready, 'videoUrl')));
  expect(Buffer.from(await video.arrayBuffer()).equals(aVideo(20))).toBe(true);
  expect(await (await fetch(String(fieldOf(ready, 'captionUrl')))).text()).toBe(captions);
}).proves(
  'limit.mediaProcessingMinutes',
  'move.media.create (new)>pending',
  'move.media.process pending>processing',
  'move.media.finish processing>available',
);

for (const [seconds, status] of [
  [4.9, 'failed'],
  [5, 'available'],
  [45, 'available'],
  [45.1, 'failed'],
  [0, 'failed'],
] as const) {
  conform('Limits', `a video of ${seconds} s is ${status}`, async () => {
    const mediaId = await uploadVideo(owner(), aVideo(seconds, 'long'));
    await world.advance('PT31M');
    const shown = await show(mediaId);
    expect(fieldOf(shown, 'status')).toBe(status);
    expect(fieldOf(shown, 'details') === '').toBe(status === 'available');
  }).proves(
    'limit.videoMinSeconds',
    'limit.videoMaxSeconds',
    `move.media.finish processing>${status}`,
    ...(status === 'failed' ? ['own.videoTooShortOrLong'] : []),
  );
}

for (const [what, bytes] of [
  ['text', Buffer.from('this is no video')],
  ['an empty file', Buffer.alloc(0)],
  ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['a video cut in the middle', aVideo(20).subarray(0, 120)],
  ['a box longer than the file', Buffer.from('\x7f\xff\xff\xffftypisom', 'latin1')],
  ['boxes without an end', Buffer.alloc(4096, Buffer.from('\0\0\0\x08free', 'latin1'))],
] as const) {
  conform(section, `${what} fails processing with a reason`, async () => {
    const mediaId = await uploadVideo(owner(), bytes);
    await world.advance('PT31M');
    expect(fieldOf(await show(mediaId), 'status')).toBe('failed');
    expect(fieldOf(await show(mediaId), 'details')).not.toBe('');
  }).proves('own.videoUnreadable');
}

conform(section, 'a caption file that is none fails processing', async () => {
  const mediaId = await uploadVideo(owner(), aVideo(20), 'no captions');
  await world.advance('PT31M');
  expect(fieldOf(await show(mediaId), 'status')).toBe('failed');
}).proves('own.captionUnreadable');

conform(section, 'completing needs the request, its video and a name, once', async () => {
  const complete = (body: object) => owner().put('/api/v1/media/complete', { advertiserId: 900001, ...body });
  const upload = await requestUpload(owner());
  const mediaUploadRequestId = idOf(upload, 'mediaUploadRequestId');
  const whole = { mediaUploadRequestId, mediaName: 'A' };
  expectRefusal(await complete({ mediaName: 'A' }), 400, 'Field [mediaUploadRequestId] not found in request');
  expectRefusal(await complete({ mediaUploadRequestId }), 400, 'Field [mediaName] not found in request');
  expect((await complete({ ...whole, mediaUploadRequestId: 1 })).body).toMatchObject({ code: 'failure', mediaId: 0 });
  expect((await complete(whole)).body).toMatchObject({ code: 'failure', mediaId: 0 });
  await putBytes(fieldOf(upload, 'uploadUrl'), aVideo(20), 'video/mp4');
  expect((await complete(whole)).body).toEqual({
    code: 'success',
    details: '',
    mediaId: expect.any(Number),
    errors: [],
  });
  expect((await complete(whole)).body).toMatchObject({ code: 'failure', mediaId: 0 });
  expect((await putBytes(fieldOf(upload, 'uploadUrl'), aVideo(20), 'video/mp4')).status).toBe(409);
}).proves('own.uploadRequestNotFound', 'own.videoNotUploaded', 'own.uploadRequestUsed', 'message.fieldMissing');

conform(section, 'names need not be unique', async () => {
  const ids = [await uploadVideo(owner(), aVideo(20)), await uploadVideo(owner(), aVideo(20))];
  expect(new Set(ids).size).toBe(2);
});

conform(section, 'all media of an advertiser, or one', async () => {
  expect((await owner().get('/api/v1/media?advertiserId=900001')).body).toHaveLength(2);
  expect((await owner().get('/api/v1/media?advertiserId=900001&mediaId=1')).status).toBe(404);
}).proves('own.mediaNotFound');

conform(section, 'the retailer may block a film and let it pass again, but cannot skip its processing', async () => {
  const mediaId = await uploadVideo(owner(), aVideo(20));
  const edit = async (status: string) => (await world.control('POST', `/console/media/${mediaId}`, { status })).status;
  expect(await edit('available')).toBe(409);
  await world.advance('PT31M');
  expect(await edit('failed')).toBe(200);
  expect(fieldOf(await show(mediaId), 'status')).toBe('failed');
  expect(await edit('available')).toBe(200);
  expect(fieldOf(await show(mediaId), 'status')).toBe('available');
}).proves('move.media.revise available>failed', 'move.media.revise failed>available');

conform(section, 'the videos that a scenario begins with can be watched', async () => {
  const film = await fetch(String(fieldOf(await owner().get('/api/v1/media?advertiserId=900001'), 'videoUrl')));
  expect([film.status, film.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  // A film of the sandbox passes its own upload, so it is one that any player takes.
  const mediaId = await uploadVideo(owner(), Buffer.from(await film.arrayBuffer()));
  await world.advance('PT31M');
  expect(fieldOf(await show(mediaId), 'status')).toBe('available');
});
