-- A session of Neovim's own client with `gpuzoo lsp`: nvim --headless -u NONE -c 'luafile editors/tests/session.lua'.
-- The set-up is that of docs/editors.md. GPUZOO is the program, GPUZOO_WORK a folder for the text.
local function run()
  local path = os.getenv('GPUZOO_WORK') .. '/double.vu'
  local file = assert(io.open(path, 'w'))
  file:write('ld r0 0\naddd r0 r0\nst pos  r0\n')
  file:close()

  vim.cmd('edit ' .. path)
  local buffer = vim.api.nvim_get_current_buf()
  local client = assert(vim.lsp.start_client({ name = 'gpuzoo', cmd = { os.getenv('GPUZOO') or 'gpuzoo', 'lsp' } }))
  vim.lsp.buf_attach_client(buffer, client)

  local function codes()
    local found = {}
    for _, problem in ipairs(vim.diagnostic.get(buffer)) do
      found[problem.user_data.lsp.code] = true
    end
    return found
  end
  -- The message of the misspelled word, at its place.
  assert(vim.wait(10000, function() return codes()['A0101'] end), 'no diagnostic')
  assert(vim.diagnostic.get(buffer)[1].lnum == 1, 'another line')

  -- What is typed is sent: the message goes.
  vim.api.nvim_buf_set_text(buffer, 1, 3, 1, 4, { '' })
  assert(vim.wait(10000, function() return not codes()['A0101'] end), 'the diagnostic stays')

  local function ask(method, line, character, more)
    local params = vim.tbl_extend('force', {
      textDocument = vim.lsp.util.make_text_document_params(buffer),
      position = { line = line, character = character },
    }, more or {})
    local replies = assert(vim.lsp.buf_request_sync(buffer, 'textDocument/' .. method, params, 10000))
    assert(replies[client] and not replies[client].err, method .. ': ' .. vim.inspect(replies))
    return replies[client].result
  end
  assert(ask('hover', 1, 1).contents.value:find('dreambox.add', 1, true), 'hover')
  local completion = ask('completion', 2, 3)
  assert(vim.inspect(completion):find('"pos"', 1, true), 'completion')

  -- Laid out by the editor's own command.
  local edits = ask('formatting', 0, 0, { options = { tabSize = 4, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits, buffer, vim.lsp.get_client_by_id(client).offset_encoding)
  local line = vim.api.nvim_buf_get_lines(buffer, 2, 3, false)[1]
  assert(line == 'st pos r0', line)
  vim.lsp.stop_client(client)
end

local ok, problem = pcall(run)
io.stdout:write(ok and 'all is well\n' or (tostring(problem) .. '\n'))
vim.cmd(ok and 'qall!' or 'cquit 1')
