// A recursive descent over the grammar of the Itanium C++ ABI, as far as the names of kernels go: expressions and
// operators' names are given up. What is not a parameter is read only to know where it ends, and because substitutions
// (S_, S0_, ...) and template parameters (T_, T0_, ...) count what came before.
#include "mangled_parameters.hpp"

#include <array>
#include <string>
#include <utility>

#include "source_text.hpp"

namespace cuprum::core {

namespace {

struct Type : ParameterType {
    // Of a type that stands for each element of a template parameter pack: the pack's index among the template
    // arguments, and whether the type is the element itself.
    int32_t pack = -1;
    bool is_pack_element = false;
};

struct TemplateArgument {
    bool is_pack = false;
    std::vector<Type> types;  // one, or the pack's; of unknown kind for what is no type
};

struct BuiltinType {
    char code;
    ArgumentKind kind;
    uint64_t size;
    const char* text;
};

constexpr ArgumentKind integer = ArgumentKind::integer;
constexpr ArgumentKind floating_point = ArgumentKind::floating_point;

// "Builtin types". Sizes are those of NVIDIA's compilers on Linux.
constexpr std::array builtin_types{
    BuiltinType{'v', ArgumentKind::unknown, 0, "void"},
    BuiltinType{'w', integer, 4, "wchar_t"},
    BuiltinType{'b', ArgumentKind::boolean, 1, "bool"},
    BuiltinType{'c', integer, 1, "char"},
    BuiltinType{'a', integer, 1, "signed char"},
    BuiltinType{'h', integer, 1, "unsigned char"},
    BuiltinType{'s', integer, 2, "short"},
    BuiltinType{'t', integer, 2, "unsigned short"},
    BuiltinType{'i', integer, 4, "int"},
    BuiltinType{'j', integer, 4, "unsigned int"},
    BuiltinType{'l', integer, 8, "long"},
    BuiltinType{'m', integer, 8, "unsigned long"},
    BuiltinType{'x', integer, 8, "long long"},
    BuiltinType{'y', integer, 8, "unsigned long long"},
    BuiltinType{'n', integer, 16, "__int128"},
    BuiltinType{'o', integer, 16, "unsigned __int128"},
    BuiltinType{'f', floating_point, 4, "float"},
    BuiltinType{'d', floating_point, 8, "double"},
    BuiltinType{'e', floating_point, 8, "long double"},
    BuiltinType{'g', floating_point, 16, "__float128"},
};

std::string shortened(std::string text) {
    return text.size() > longest_type_text ? std::string() : std::move(text);
}

Type named_type(std::string text) {
    Type type;
    if (text == "__half") {
        type.kind = floating_point;
        type.size = 2;
    } else if (text == "__nv_bfloat16") {
        type.kind = ArgumentKind::bfloat16;
        type.size = 2;
    }
    type.text = shortened(std::move(text));
    return type;
}

// `text` of a type that is made of `base`: empty where that is not known.
std::string derived_text(const Type& base, const char* before, const char* after) {
    return base.text.empty() ? std::string() : shortened(before + base.text + after);
}

class Demangler {
public:
    explicit Demangler(std::string_view name) : text_(name) {}

    bool run(std::vector<ParameterType>& parameters) {
        if (!take("_Z")) return false;
        std::vector<Type> types;
        // A compiler's own suffix (".constprop.0") comes after the types.
        if (!encoding(&types, '.') || (!at_end() && peek() != '.')) return false;
        parameters.assign(types.begin(), types.end());
        return true;
    }

private:
    // Deeper than any name that a compiler makes of a person's code.
    static constexpr int deepest = 128;

    class Depth {
    public:
        explicit Depth(int& depth) : depth_(depth) { ++depth_; }
        ~Depth() { --depth_; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;

    private:
        int& depth_;
    };

    bool at_end() const { return at_ >= text_.size(); }
    char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool take(char c) {
        if (peek() != c || at_end()) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view s) {
        if (text_.substr(at_, s.size()) != s) return false;
        at_ += s.size();
        return true;
    }

    // <encoding> ::= <name> <bare-function-type>, up to `end` or the end of the text. `parameters` may be null, here
    // and below.
    bool encoding(std::vector<Type>* parameters, char end) {
        bool ends_with_template_arguments = false;
        Type name;
        if (!this->name(name, &ends_with_template_arguments)) return false;
        // A variable, or within another name an extern "C" function, of which there are no types.
        if (at_end() || peek() == end) return end == 'E' && !at_end();
        Type result;
        // Only template functions have their return type in the name.
        if (ends_with_template_arguments && !type(result)) return false;
        return function_parameters(parameters, end);
    }

    bool function_parameters(std::vector<Type>* parameters, char end) {
        if (peek() == 'v' && (at_ + 1 == text_.size() || peek(1) == end)) {
            ++at_;
            return true;
        }
        while (!at_end() && peek() != end) {
            if (take("Dp")) {
                if (!pack_expansion(parameters)) return false;
                continue;
            }
            Type parameter;
            if (!type(parameter)) return false;
            if (parameters != nullptr) parameters->push_back(std::move(parameter));
        }
        return true;
    }

    // What stands behind Dp: a type for each element of a pack.
    bool pack_expansion(std::vector<Type>* types) {
        Type pattern;
        if (!type(pattern) || pattern.pack < 0) return false;
        if (types != nullptr) {
            const auto index = static_cast<size_t>(pattern.pack);
            if (index >= template_arguments_.size()) return false;
            for (const Type& element : template_arguments_[index].types) {
                Type made = pattern.is_pack_element ? element : pattern;
                if (!pattern.is_pack_element) made.text.clear();
                made.pack = -1;
                made.is_pack_element = false;
                types->push_back(std::move(made));
                // No name that a compiler has made: each element takes a character at least.
                if (types->size() > text_.size()) return false;
            }
        }
        substitutions_.push_back(std::move(pattern));
        return true;
    }

    bool name(Type& result, bool* ends_with_template_arguments) {
        const Depth depth(depth_);
        if (depth_ > deepest) return false;
        if (peek() == 'N') return nested_name(result, ends_with_template_arguments);
        if (peek() == 'Z') return local_name(result, ends_with_template_arguments);
        bool is_substitution = false;
        if (!unscoped_name(result, is_substitution)) return false;
        if (peek() != 'I') return !is_substitution;
        if (!is_substitution) substitutions_.push_back(result);
        if (ends_with_template_arguments != nullptr) *ends_with_template_arguments = true;
        return instance_of(result, ends_with_template_arguments != nullptr);
    }

    bool unscoped_name(Type& result, bool& is_substitution) {
        if (peek() == 'S' && peek(1) != 't') {
            is_substitution = true;
            return substitution(result);
        }
        const bool is_in_std = take("St");
        std::string text;
        if (!unqualified_name(text)) return false;
        result = is_in_std ? named_type("std::" + text) : named_type(std::move(text));
        return true;
    }

    // <nested-name> ::= N [<CV-qualifiers>] [<ref-qualifier>] <prefix> <unqualified-name> E
    bool nested_name(Type& result, bool* ends_with_template_arguments) {
        if (!take('N')) return false;
        while (peek() == 'r' || peek() == 'V' || peek() == 'K')
            ++at_;
        if (peek() == 'R' || peek() == 'O') ++at_;
        bool has_any = false;
        bool is_instance = false;
        while (!take('E')) {
            if (at_end()) return false;
            if (peek() == 'I') {
                if (!has_any || is_instance) return false;
                if (!instance_of(result, ends_with_template_arguments != nullptr)) return false;
                is_instance = true;
            } else if (peek() == 'T') {
                if (has_any || !template_parameter(result)) return false;
                is_instance = false;
            } else if (peek() == 'S' && peek(1) != 't') {
                if (has_any || !substitution(result)) return false;
                has_any = true;
                is_instance = false;
                continue;  // it is among the substitutions
            } else {
                std::string text = has_any ? result.text + "::" : take("St") ? "std::" : "";
                std::string last;
                if (!unqualified_name(last)) return false;
                result = Type();
                result.text = shortened(text == "::" ? std::string() : text + last);
                is_instance = false;
            }
            has_any = true;
            substitutions_.push_back(result);
            take('M');  // the initialiser of a data member
        }
        if (!has_any || substitutions_.empty()) return false;
        // The whole is not a prefix; as a type it is counted by type().
        substitutions_.pop_back();
        if (ends_with_template_arguments != nullptr) *ends_with_template_arguments = is_instance;
        return true;
    }

    // <local-name> ::= Z <function's encoding> E (<name> | s) [<discriminator>]
    bool local_name(Type& result, bool* ends_with_template_arguments) {
        if (!take('Z')) return false;
        std::vector<TemplateArgument> outer = std::exchange(template_arguments_, {});
        if (!encoding(nullptr, 'E') || !take('E')) return false;
        template_arguments_ = std::move(outer);
        if (take('s')) {
            result = Type();
            return discriminator();
        }
        if (take('d')) {  // within a default argument
            number();
            if (!take('_')) return false;
        }
        return name(result, ends_with_template_arguments) && discriminator();
    }

    bool discriminator() {
        if (peek() != '_') return true;
        ++at_;
        const bool is_long = take('_');
        if (!is_digit(peek())) return false;
        if (!is_long) {
            ++at_;
            return true;
        }
        number();
        return take('_');
    }

    void number() {
        while (is_digit(peek()))
            ++at_;
    }

    // A name without what it is in. Operators, constructors and destructors are given up.
    bool unqualified_name(std::string& result) {
        take('L');  // internal linkage
        if (is_digit(peek())) {
            if (!source_name(result)) return false;
        } else if (take("Ut")) {
            number();
            if (!take('_')) return false;
            result = "(unnamed)";
        } else if (take("Ul")) {
            const bool is_complete = function_parameters(nullptr, 'E') && take('E');
            number();
            if (!is_complete || !take('_')) return false;
            result = "(lambda)";
        } else {
            return false;
        }
        std::string tag;
        while (take('B')) {
            if (!source_name(tag)) return false;
        }
        return true;
    }

    bool source_name(std::string& result) {
        size_t length = 0;
        if (!is_digit(peek())) return false;
        while (is_digit(peek())) {
            length = length * 10 + static_cast<size_t>(peek() - '0');
            if (length > text_.size()) return false;
            ++at_;
        }
        if (length == 0 || length > text_.size() - at_) return false;
        result = text_.substr(at_, length);
        at_ += length;
        return true;
    }

    // <template-args> of `base`, which becomes the instance. Those of the function itself are what T_ stands for.
    bool instance_of(Type& base, bool is_function) {
        if (!take('I')) return false;
        if (is_function) template_arguments_.clear();
        while (!take('E')) {
            TemplateArgument argument;
            int32_t pack = -1;
            if (!template_argument(argument, pack)) return false;
            if (pack >= 0) base.pack = pack;
            if (is_function) template_arguments_.push_back(std::move(argument));
        }
        const int32_t pack = base.pack;
        std::string text = base.text.empty() ? std::string() : shortened(base.text + "<...>");
        base = Type();
        base.pack = pack;
        base.text = std::move(text);
        return true;
    }

    bool template_argument(TemplateArgument& argument, int32_t& pack) {
        const Depth depth(depth_);
        if (depth_ > deepest || at_end()) return false;
        if (take('L')) {
            argument.types.emplace_back();
            return literal();
        }
        if (take('J')) {
            argument.is_pack = true;
            while (!take('E')) {
                TemplateArgument element;
                if (!template_argument(element, pack) || element.is_pack) return false;
                argument.types.push_back(std::move(element.types.front()));
            }
            return true;
        }
        if (take("Dp")) {
            Type pattern;
            if (!type(pattern) || pattern.pack < 0) return false;
            pack = pattern.pack;
            substitutions_.push_back(pattern);
            argument.types.emplace_back();
            return true;
        }
        Type type;
        if (!this->type(type)) return false;
        if (type.pack >= 0) pack = type.pack;
        argument.types.push_back(std::move(type));
        return true;
    }

    // What stands behind L: a type and a value, or the name of a function or object.
    bool literal() {
        if (take("_Z")) {
            std::vector<TemplateArgument> outer = std::exchange(template_arguments_, {});
            Type object;
            bool ends_with_template_arguments = false;
            if (!name(object, &ends_with_template_arguments)) return false;
            Type result;
            if (peek() != 'E') {
                if (ends_with_template_arguments && !type(result)) return false;
                if (!function_parameters(nullptr, 'E')) return false;
            }
            template_arguments_ = std::move(outer);
            return take('E');
        }
        Type type;
        if (!this->type(type)) return false;
        // A number, in hexadecimal for floating point; letters are lower case, so that E ends it.
        while (is_digit(peek()) || (peek() >= 'a' && peek() <= 'z') || peek() == '_')
            ++at_;
        return take('E');
    }

    bool template_parameter(Type& result) {
        size_t index = 0;
        if (!take('T')) return false;
        if (!take('_')) {
            if (!is_digit(peek()) && !(peek() >= 'A' && peek() <= 'Z')) return false;
            if (!sequence_number(index, 10)) return false;
        }
        if (index >= template_arguments_.size()) return false;
        const TemplateArgument& argument = template_arguments_[index];
        if (argument.is_pack) {
            result = Type();
            result.pack = static_cast<int32_t>(index);
            result.is_pack_element = true;
        } else {
            result = argument.types.front();
        }
        return true;
    }

    // The number before an underscore, plus one.
    bool sequence_number(size_t& number, size_t base) {
        number = 0;
        while (!take('_')) {
            const char c = peek();
            size_t digit = base;
            if (is_digit(c)) digit = static_cast<size_t>(c - '0');
            if (c >= 'A' && c <= 'Z') digit = static_cast<size_t>(c - 'A') + 10;
            if (digit >= base || number > text_.size()) return false;
            number = number * base + digit;
            ++at_;
        }
        ++number;
        return true;
    }

    bool substitution(Type& result) {
        if (!take('S')) return false;
        if (is_digit(peek()) || (peek() >= 'A' && peek() <= 'Z') || peek() == '_') {
            size_t index = 0;
            if (!take('_') && !sequence_number(index, 36)) return false;
            if (index >= substitutions_.size()) return false;
            result = substitutions_[index];
            return true;
        }
        constexpr std::array<std::pair<char, const char*>, 6> standard{{{'a', "std::allocator"},
                                                                        {'b', "std::basic_string"},
                                                                        {'s', "std::string"},
                                                                        {'i', "std::istream"},
                                                                        {'o', "std::ostream"},
                                                                        {'d', "std::iostream"}}};
        for (const auto& [code, text] : standard) {
            if (!take(code)) continue;
            result = named_type(text);
            return true;
        }
        return false;
    }

    bool type(Type& result) {
        const Depth depth(depth_);
        if (depth_ > deepest || at_end()) return false;
        result = Type();
        bool is_counted = true;
        if (!type_of(result, is_counted)) return false;
        if (is_counted) substitutions_.push_back(result);
        return true;
    }

    // `is_counted`: whether later substitutions may stand for it.
    bool type_of(Type& result, bool& is_counted) {
        const char c = peek();
        switch (c) {
            case 'r':
            case 'V':
            case 'K':
                return qualified_type(result);
            case 'P':
                ++at_;
                return pointer_type(result);
            case 'R':
            case 'O':
            case 'C':
            case 'G':
                ++at_;
                return wrapped_type(result, c == 'R' ? "&" : c == 'O' ? "&&" : "");
            case 'U': {
                // A vendor's qualifier, which may change what the type is.
                std::string qualifier;
                ++at_;
                if (!source_name(qualifier) || peek() == 'I') return false;
                return wrapped_type(result, "");
            }
            case 'M': {
                ++at_;
                Type of;
                Type member;
                if (!type(of) || !type(member)) return false;
                return true;
            }
            case 'A':
                ++at_;
                number();
                return take('_') && wrapped_type(result, "[]");
            case 'F':
                return function_type(result);
            case 'D':
                return other_builtin_type(result, is_counted);
            case 'T':
                if (take("Ts") || take("Tu") || take("Te")) return name(result, nullptr);
                if (!template_parameter(result)) return false;
                if (peek() != 'I') return true;
                substitutions_.push_back(result);
                return instance_of(result, false);
            case 'S':
                if (peek(1) != 't') return substituted_type(result, is_counted);
                return name(result, nullptr);
            case 'u': {
                std::string text;
                ++at_;
                if (!source_name(text) || peek() == 'I') return false;
                result = named_type(std::move(text));
                return true;
            }
            default:
                for (const BuiltinType& builtin : builtin_types) {
                    if (c != builtin.code) continue;
                    ++at_;
                    result.kind = builtin.kind;
                    result.size = builtin.size;
                    result.text = builtin.text;
                    is_counted = false;
                    return true;
                }
                return (c == 'N' || c == 'Z' || c == 'L' || is_digit(c)) && name(result, nullptr);
        }
    }

    bool qualified_type(Type& result) {
        std::string qualifiers;
        for (;; ++at_) {
            if (peek() == 'r') continue;  // restrict says nothing about the type
            if (peek() == 'V') {
                qualifiers += "volatile ";
            } else if (peek() == 'K') {
                qualifiers += "const ";
            } else {
                break;
            }
        }
        if (!type(result)) return false;
        if (result.kind == ArgumentKind::pointer) return true;  // the pointer itself is const
        result.text = derived_text(result, qualifiers.c_str(), "");
        return true;
    }

    bool pointer_type(Type& result) {
        Type pointee;
        if (!type(pointee)) return false;
        result.kind = ArgumentKind::pointer;
        result.size = 8;
        result.text = derived_text(pointee, "", "*");
        result.pack = pointee.pack;
        return true;
    }

    // A type made of another, of a kind that no argument has.
    bool wrapped_type(Type& result, const char* after) {
        Type inner;
        if (!type(inner)) return false;
        result.text = *after == '\0' ? std::string() : derived_text(inner, "", after);
        result.pack = inner.pack;
        return true;
    }

    // <function-type> ::= F [Y] <return type> <parameters> [<ref-qualifier>] E
    bool function_type(Type& result) {
        Type returned;
        if (!take('F')) return false;
        take('Y');
        if (!type(returned)) return false;
        while (!take('E')) {
            if (take("RE") || take("OE")) break;
            if (take('v') || take('z')) continue;
            if (take("Dp")) {
                if (!pack_expansion(nullptr)) return false;
                continue;
            }
            Type parameter;
            if (at_end() || !type(parameter)) return false;
        }
        result = Type();
        return true;
    }

    // What begins with D.
    bool other_builtin_type(Type& result, bool& is_counted) {
        if (peek(1) == 'o') {
            at_ += 2;
            return peek() == 'F' && function_type(result);
        }
        if (take("Dv")) {
            number();
            return take('_') && wrapped_type(result, "");
        }
        is_counted = false;
        result.kind = integer;
        if (take("Di")) {
            result.size = 4;
            result.text = "char32_t";
        } else if (take("Ds")) {
            result.size = 2;
            result.text = "char16_t";
        } else if (take("Du")) {
            result.size = 1;
            result.text = "char8_t";
        } else if (take("Dn")) {
            result.kind = ArgumentKind::unknown;
            result.text = "std::nullptr_t";
        } else if (take("DF16b")) {
            result.kind = ArgumentKind::bfloat16;
            result.size = 2;
            result.text = "std::bfloat16_t";
        } else if (take("DF16_")) {
            result.kind = floating_point;
            result.size = 2;
            result.text = "_Float16";
        } else if (take("DF32_")) {
            result.kind = floating_point;
            result.size = 4;
            result.text = "_Float32";
        } else if (take("DF64_")) {
            result.kind = floating_point;
            result.size = 8;
            result.text = "_Float64";
        } else {
            return false;  // decltype, auto, decimal numbers, _BitInt
        }
        return true;
    }

    bool substituted_type(Type& result, bool& is_counted) {
        if (!substitution(result)) return false;
        is_counted = peek() == 'I';
        return !is_counted || instance_of(result, false);
    }

    std::string_view text_;
    size_t at_ = 0;
    int depth_ = 0;
    std::vector<Type> substitutions_;
    std::vector<TemplateArgument> template_arguments_;
};

}  // namespace

std::optional<std::vector<ParameterType>> parameters_of_mangled_name(std::string_view name) {
    std::vector<ParameterType> parameters;
    if (!Demangler(name).run(parameters)) return std::nullopt;
    return parameters;
}

}  // namespace cuprum::core
