// Functions of src/wasm/host.h. Threads call them on the thread that loaded the module.
mergeInto(LibraryManager.library, {
  host_ended__proxy: 'async',
  host_ended__sig: 'v',
  host_ended: function () {
    Module['onEnded']();
  },
  host_ready__proxy: 'sync',
  host_ready__sig: 'vi',
  host_ready: function (notice) {
    Module['onReady'](UTF8ToString(notice));
  },
  host_failed__proxy: 'sync',
  host_failed__sig: 'vi',
  host_failed: function (why) {
    Module['onFailed'](UTF8ToString(why));
  },
  host_text__proxy: 'sync',
  host_text__sig: 'vii',
  host_text: function (text, len) {
    Module['onText'](UTF8ToString(text, len));
  },
  host_reply__proxy: 'sync',
  host_reply__sig: 'viiiiii',
  host_reply: function (id, status, type, file, body, len) {
    Module['onReply'](id, status, UTF8ToString(type), UTF8ToString(file), UTF8ToString(body, len));
  },

  // Emscripten's own does nothing, because its files are in memory. Ours may be on a disk (web/src/site/files.ts).
  __syscall_fdatasync__proxy: 'sync',
  __syscall_fdatasync__sig: 'ii',
  __syscall_fdatasync: function (fd) {
    var stream = SYSCALLS.getStreamFromFD(fd);
    return stream.stream_ops.fsync ? stream.stream_ops.fsync(stream) : 0;
  },
});
