// Functions of src/wasm/host.h. Threads call them on the thread that loaded the module.
mergeInto(LibraryManager.library, {
  host_ended__proxy: 'async',
  host_ended__sig: 'v',
  host_ended: function () {
    Module['onEnded']();
  },
  host_text__proxy: 'sync',
  host_text__sig: 'vii',
  host_text: function (text, len) {
    Module['onText'](UTF8ToString(text, len));
  },
});
