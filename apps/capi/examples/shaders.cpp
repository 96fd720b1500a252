// C++17: objects that free themselves, errors as exceptions, a program compiled of WGSL, run, and written as GLSL for the host.
#include <gpuzoo.h>

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

template <auto Free> struct freed {
    template <typename T> void operator()(T *object) const { Free(object); }
};
using problems = std::unique_ptr<gpuzoo_problems, freed<gpuzoo_problems_free>>;
using program = std::unique_ptr<gpuzoo_program, freed<gpuzoo_program_free>>;
using kernel = std::unique_ptr<gpuzoo_kernel, freed<gpuzoo_kernel_free>>;
using translation = std::unique_ptr<gpuzoo_translation, freed<gpuzoo_translation_free>>;

static gpuzoo_text text(std::string_view view) { return {view.data(), view.size()}; }
static std::string_view view(gpuzoo_text text) { return {text.data, text.length}; }

// Calls a function with a place for an object and one for problems, which it throws.
template <typename Object, typename Call> static Object made(Call call) {
    typename Object::pointer object = nullptr;
    gpuzoo_problems *raw = nullptr;
    const gpuzoo_status status = call(&object, &raw);
    const problems list(raw);
    if (status != GPUZOO_OK) {
        gpuzoo_text message;
        if (gpuzoo_problems_text(list.get(), &message) != GPUZOO_OK) {
            gpuzoo_status_text(status, &message);
        }
        throw std::runtime_error(std::string(view(message)));
    }
    return Object(object);
}

static program read(std::string_view machine, std::string_view name, std::string_view source) {
    return made<program>([&](auto to, auto problems) {
        return gpuzoo_program_read(text(machine), text(name), source.data(), source.size(), nullptr, to, problems);
    });
}

int main() {
    const auto source = R"(
@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f {
    return p * 2.0 + vec4f(1.0, 0.0, 0.0, 0.0);
}
)";
    const program twice = read("dreambox", "twice.wgsl", source);
    size_t words = 0;
    gpuzoo_program_words(twice.get(), nullptr, 0, &words);
    std::printf("has words: %s\n", words > 0 ? "yes" : "no");

    const kernel run_it = made<kernel>(
        [&](auto to, auto problems) { return gpuzoo_kernel_open(twice.get(), nullptr, to, problems); });
    const std::vector<std::array<float, 4>> in = {{1, 2, 3, 1}, {-1, 0, 0.5f, 1}};
    std::vector<std::array<float, 4>> out(in.size());
    const size_t bytes = in.size() * sizeof in[0];
    gpuzoo_text name{};
    gpuzoo_kernel_name(run_it.get(), GPUZOO_INPUTS, 0, &name);
    const gpuzoo_input input = {name, in.data(), bytes, sizeof in[0], 4};
    const gpuzoo_output output = {text("pos"), out.data(), bytes, sizeof out[0], 4};
    gpuzoo_run run{};
    run.struct_size = sizeof run;
    run.count = in.size();
    run.inputs = &input;
    run.input_count = 1;
    run.outputs = &output;
    run.output_count = 1;
    if (gpuzoo_kernel_run(run_it.get(), &run, nullptr) != GPUZOO_OK) {
        return 1;
    }
    for (const auto &v : out) {
        std::printf("%g %g %g %g\n", v[0], v[1], v[2], v[3]);
    }

    const std::array<gpuzoo_option, 2> options = {{{text("to"), text("glsl330")}, {text("prefix"), text("twice_")}}};
    const translation glsl = made<translation>([&](auto to, auto problems) {
        return gpuzoo_program_translate(twice.get(), options.data(), options.size(), to, problems);
    });
    gpuzoo_text code{};
    gpuzoo_translation_text(glsl.get(), &code);
    std::printf("%s\n", std::string(view(code).substr(0, view(code).find('\n'))).c_str());

    try {
        read("dreambox", "typo.vu", "ld r16 0\n");
    } catch (const std::runtime_error &error) {
        std::printf("%s\n", error.what());
    }
    return 0;
}
